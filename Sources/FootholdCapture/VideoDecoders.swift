import CFootholdMedia

/// Which recordings this machine can read.
public enum VideoDecoders {
    /// - Parameter codec: libav's name of it, such as `h264`, `hevc`, `vp9`, `av1`.
    public static func canDecode(_ codec: String) -> Bool { fh_media_can_decode(codec) == 1 }
}
