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
            guard let pixel = request.location.pixel(in: info) else {
                throw UsageError("--place \(request.name): \(PlacementRequest.Location.outside(info))")
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
    /// The pixel in a source's pictures, or on their border, where shares of 0 and 1 lie; nil outside.
    func pixel(in info: SourceInfo) -> SIMD2<Double>? {
        let pixel = pixel(width: info.width, height: info.height)
        let isInside =
            (-0.5...Double(info.width) - 0.5).contains(pixel.x) && (-0.5...Double(info.height) - 0.5).contains(pixel.y)
        return isInside ? pixel : nil
    }

    /// What to say where there's no such pixel.
    static func outside(_ info: SourceInfo) -> String {
        "the point lies outside the picture, which is \(info.width)×\(info.height)"
    }
}
