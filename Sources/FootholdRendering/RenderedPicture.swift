import CFootholdMedia
import FootholdScene

/// A drawn frame: luma, then chroma at half width and half height (rounded up) as two planes.
///
/// It owns its memory and keeps it from being drawn over, so that it may be encoded while the next one is drawn.
/// Immutable once it is handed out.
public final class RenderedPicture: @unchecked Sendable {
    public let width: Int
    public let height: Int
    public let isFullRange: Bool
    public let colorMatrix: PixelBuffer.ColorMatrix
    /// How much of the frame the overlay covers, objects included: its mean opacity, 0…1.
    public let overlayOpacity: Double
    private let storage: PicturePool.Storage

    init(frame: PixelBuffer, overlay: UnsafePointer<UInt8>, storage: PicturePool.Storage) {
        width = frame.width
        height = frame.height
        isFullRange = frame.isFullRange
        colorMatrix = frame.colorMatrix
        self.storage = storage
        var source = fh_encode_source()
        source.y = frame.luma.base
        source.y_stride = frame.luma.bytesPerRow
        source.color = Self.color(frame.colorMatrix, frame.isFullRange)
        switch frame.format {
        case .gray8:
            break
        case .yuv420p:
            source.u = frame.planes[1].base
            source.v = frame.planes[2].base
            source.chroma_stride = frame.planes[1].bytesPerRow
            source.chroma_step = 1
        case .nv12:
            source.u = frame.planes[1].base
            source.v = frame.planes[1].base + 1
            source.chroma_stride = frame.planes[1].bytesPerRow
            source.chroma_step = 2
        }
        var planes = storage.planes
        var opacity = 0.0
        fh_overlay_blend(&source, overlay, Int32(width), Int32(height), &planes, &opacity)
        overlayOpacity = opacity
    }

    /// Valid as long as the picture lives. Luma first.
    public var planes: [PixelBuffer.Plane] {
        let planes = storage.planes
        let (w, h) = ((width + 1) / 2, (height + 1) / 2)
        return [
            PixelBuffer.Plane(base: planes.y, width: width, height: height, bytesPerRow: planes.y_stride),
            PixelBuffer.Plane(base: planes.u, width: w, height: h, bytesPerRow: planes.chroma_stride),
            PixelBuffer.Plane(base: planes.v, width: w, height: h, bytesPerRow: planes.chroma_stride),
        ]
    }

    /// The picture as RGBA, 8 bits each, rows packed, alpha 255.
    public func rgba() -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: width * height * 4) { buffer, count in
            var planes = storage.planes
            fh_planes_to_rgba(&planes, color, Int32(width), Int32(height), buffer.baseAddress)
            count = width * height * 4
        }
    }

    func withPlanes<Result>(_ body: (UnsafePointer<fh_encode_planes>, fh_encode_color) -> Result) -> Result {
        var planes = storage.planes
        return body(&planes, color)
    }

    private var color: fh_encode_color { Self.color(colorMatrix, isFullRange) }

    private static func color(_ matrix: PixelBuffer.ColorMatrix, _ isFullRange: Bool) -> fh_encode_color {
        let value = matrix == .bt709 ? FH_ENCODE_MATRIX_BT709 : FH_ENCODE_MATRIX_BT601
        return fh_encode_color(matrix: Int32(value), is_full_range: isFullRange ? 1 : 0)
    }
}
