import FootholdScene

/// Most recordings keep luma within 16…235. What people see as black and white are these ends, so what is measured of
/// such a picture is put onto 0…255, where the same darkness and the same glare have the same numbers.
enum VideoRange {
    private static let black = 16.0
    private static let span = 219.0
    /// As the engine counts them in full range: below 16 is dark, above 240 is bright.
    private static let darkBelow = UInt8(black + 16 * span / 255 + 1)
    private static let brightAbove = UInt8(black + 240 * span / 255)
    /// Pixels are counted as if the picture were about this wide.
    private static let countedWidth = 160

    static func widen(_ diagnostics: inout FrameDiagnostics, of pixels: PixelBuffer) {
        guard !pixels.isFullRange else { return }
        diagnostics.brightness = min(1, max(0, (diagnostics.brightness * 255 - black) / span))
        diagnostics.change = min(1, diagnostics.change * 255 / span)
        (diagnostics.darkShare, diagnostics.brightShare) = shares(of: pixels.luma)
    }

    /// Of dark and of bright pixels, 0…1.
    private static func shares(of luma: PixelBuffer.Plane) -> (dark: Double, bright: Double) {
        let step = max(1, luma.width / countedWidth)
        var (dark, bright, count) = (0, 0, 0)
        for y in stride(from: step / 2, to: luma.height, by: step) {
            let row = luma.base + y * luma.bytesPerRow
            for x in stride(from: step / 2, to: luma.width, by: step) {
                let level = row[x]
                if level < darkBelow { dark += 1 }
                if level > brightAbove { bright += 1 }
                count += 1
            }
        }
        guard count > 0 else { return (0, 0) }
        return (Double(dark) / Double(count), Double(bright) / Double(count))
    }
}
