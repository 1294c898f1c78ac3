import FootholdPlacement
import FootholdScene

/// What `--place` asks for, in a picture whose size is known.
struct PlacementTap {
    var nanoseconds: Int64
    var template: ObjectTemplate
    var pixel: SIMD2<Double>
    var request: PlacementRequest

    /// In time order; what comes at the same time stays in the order in which it was asked for.
    ///
    /// - Parameter templates: one for each request.
    /// - Throws: `UsageError` for a point outside the picture.
    static func taps(
        for requests: [PlacementRequest], templates: [ObjectTemplate], in info: SourceInfo
    ) throws(UsageError) -> [PlacementTap] {
        var taps: [PlacementTap] = []
        for (request, template) in zip(requests, templates) {
            let pixel: SIMD2<Double>
            do {
                pixel = try request.location.pixel(in: info)
            } catch {
                throw UsageError("--place \(request.name): \(error)")
            }
            taps.append(
                PlacementTap(
                    nanoseconds: Int64((request.seconds * 1e9).rounded()), template: template, pixel: pixel,
                    request: request))
        }
        return taps.enumerated().sorted { ($0.element.nanoseconds, $0.offset) < ($1.element.nanoseconds, $1.offset) }
            .map(\.element)
    }
}

extension PlacementRequest.Location {
    /// The pixel in a source's pictures, or on their border, where shares of 0 and 1 lie.
    /// - Throws: `UsageError` outside of them.
    func pixel(in info: SourceInfo) throws(UsageError) -> SIMD2<Double> {
        let pixel = pixel(width: info.width, height: info.height)
        guard (-0.5...Double(info.width) - 0.5).contains(pixel.x), (-0.5...Double(info.height) - 0.5).contains(pixel.y)
        else { throw UsageError("the point lies outside the picture, which is \(info.width)×\(info.height)") }
        return pixel
    }
}
