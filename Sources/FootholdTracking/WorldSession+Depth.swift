import CFootholdEngine

extension WorldSession {
    /// What lies how deep in the newest frame, for hiding objects behind real things; nil when that frame has no pose.
    ///
    /// Made when it is asked for, in about a millisecond. Asking changes nothing but the next depth map: where it is a
    /// close thing, that keeps to what this one says, so that borders don't flicker.
    public func depthMap() throws -> DepthMap? {
        var map = fh_depth_map()
        map.struct_size = UInt32(MemoryLayout<fh_depth_map>.size)
        let status = fh_session_depth_map(handle, &map)
        if status == Int32(FH_NO_WORLD.rawValue) { return nil }
        guard status == 0 else { throw TrackingError(status: status, doing: "see how deep things lie") }
        let count = Int(map.width) * Int(map.height)
        return DepthMap(
            width: Int(map.width), height: Int(map.height), cellPixels: Int(map.cell_pixels),
            depths: Array(UnsafeBufferPointer(start: map.depth, count: count)),
            deviations: Array(UnsafeBufferPointer(start: map.deviation, count: count)),
            luma: Array(UnsafeBufferPointer(start: map.luma, count: count)))
    }
}
