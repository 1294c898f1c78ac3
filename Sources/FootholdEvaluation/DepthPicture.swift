import CZlib
import Foundation

/// What lies how deep at every pixel of one picture.
public struct DepthPicture: Sendable {
    /// The camera at the size of this picture.
    public let intrinsics: CameraIntrinsics
    /// Planar z in metres, row by row; 0 where nothing is known.
    public let depths: [Float]

    public init(intrinsics: CameraIntrinsics, depths: [Float]) {
        precondition(depths.count == intrinsics.width * intrinsics.height, "one depth a pixel")
        self.intrinsics = intrinsics
        self.depths = depths
    }

    /// The depth at the pixel nearest to the one given; nil outside the picture or where nothing is known.
    public func depth(at pixel: SIMD2<Double>) -> Double? {
        guard let index = index(of: pixel) else { return nil }
        let depth = depths[index]
        return depth > 0 ? Double(depth) : nil
    }

    /// The depth at a pixel of the same view's picture, which may be of another size.
    func depth(at pixel: SIMD2<Double>, of picture: PixelBuffer.Plane) -> Double? {
        let ratio = SIMD2(
            Double(intrinsics.width) / Double(picture.width), Double(intrinsics.height) / Double(picture.height))
        return depth(at: (pixel + 0.5) * ratio - 0.5)
    }

    /// Where the nearest pixel is stored; nil outside the picture.
    func index(of pixel: SIMD2<Double>) -> Int? {
        let (x, y) = (pixel.x.rounded(), pixel.y.rounded())
        guard x >= 0, y >= 0, x < Double(intrinsics.width), y < Double(intrinsics.height) else { return nil }
        return Int(y) * intrinsics.width + Int(x)
    }
}

extension DepthPicture {
    /// Reads a 16-bit grey PNG of millimetres (planar z).
    ///
    /// - Parameter camera: the camera of the video, at any size of the same shape.
    /// - Throws: `EvaluationError` for what is no such picture, or has another shape than the camera's.
    public init(pngAt url: URL, camera: CameraIntrinsics) throws(EvaluationError) {
        let png = try GrayPNG(FileText.data(at: url), path: url.path)
        try Self.check(width: png.width, height: png.height, path: url.path, camera: camera)
        guard png.bitDepth == 16 else {
            throw .unreadable(path: url.path, reason: "depth pictures have 16 bits a pixel")
        }
        self.init(
            intrinsics: camera.scaled(toWidth: png.width, height: png.height),
            depths: png.samples.map { Float($0) / 1000 })
    }

    /// Looks only at the picture's shape, and reads no more of the file than that.
    static func check(pngAt url: URL, camera: CameraIntrinsics) throws(EvaluationError) {
        let beginning = try FileText.beginning(of: url, count: GrayPNG.sizeEnd)
        let (width, height) = try GrayPNG.size(beginning, path: url.path)
        try check(width: width, height: height, path: url.path, camera: camera)
    }

    private static func check(
        width: Int, height: Int, path: String, camera: CameraIntrinsics
    ) throws(EvaluationError) {
        guard camera.fits(width: width, height: height) else {
            throw .unreadable(
                path: path,
                reason:
                    "it has \(width)×\(height) pixels, another shape than the camera's \(camera.width)×\(camera.height)"
            )
        }
    }
}

/// A grey PNG without interlacing (ISO/IEC 15948), 8 or 16 bits a pixel.
struct GrayPNG {
    let width: Int
    let height: Int
    let bitDepth: Int
    let samples: [UInt16]

    init(_ data: Data, path: String) throws(EvaluationError) {
        let bytes = [UInt8](data)
        func fail(_ reason: String) -> EvaluationError { .unreadable(path: path, reason: reason) }
        guard bytes.starts(with: Self.signature) else { throw fail("not a PNG") }
        var header: (width: Int, height: Int, bitDepth: Int)?
        var compressed: [UInt8] = []
        var offset = 8
        while offset + 12 <= bytes.count {
            let length = Self.word(bytes, offset)
            guard offset + 12 + length <= bytes.count else { throw fail("a truncated PNG") }
            let body = bytes[(offset + 8)..<(offset + 8 + length)]
            switch Array(bytes[(offset + 4)..<(offset + 8)]) {
            case Array("IHDR".utf8):
                guard length == 13 else { throw fail("a damaged PNG") }
                let b = offset + 8
                guard [8, 16].contains(bytes[b + 8]), bytes[b + 9] == 0, bytes[b + 12] == 0 else {
                    throw fail("a PNG that is not plain grey of 8 or 16 bits")
                }
                header = (Self.word(bytes, b), Self.word(bytes, b + 4), Int(bytes[b + 8]))
            case Array("IDAT".utf8): compressed += body
            default: break
            }
            offset += 12 + length
        }
        guard let header, header.width > 0, header.height > 0, header.width * header.height < 1 << 28 else {
            throw fail("a damaged PNG")
        }
        (width, height, bitDepth) = header
        let stride = width * bitDepth / 8
        var raw = [UInt8](repeating: 0, count: (stride + 1) * height)
        var rawCount = uLongf(raw.count)
        guard uncompress(&raw, &rawCount, compressed, uLong(compressed.count)) == Z_OK, Int(rawCount) == raw.count
        else { throw fail("a damaged PNG") }
        guard Self.unfilter(&raw, stride: stride, rows: height, pixelBytes: bitDepth / 8) else {
            throw fail("a damaged PNG")
        }
        samples = Self.samples(raw, width: width, height: height, pixelBytes: bitDepth / 8)
    }

    /// Where a file's beginning has told of the size.
    static let sizeEnd = 24

    /// What the picture's beginning says of its size.
    static func size(_ beginning: Data, path: String) throws(EvaluationError) -> (width: Int, height: Int) {
        let start = [UInt8](beginning)
        guard start.count >= sizeEnd, start.starts(with: signature), Array(start[12..<16]) == Array("IHDR".utf8) else {
            throw .unreadable(path: path, reason: "not a PNG")
        }
        let (width, height) = (word(start, 16), word(start, 20))
        guard width > 0, height > 0 else { throw .unreadable(path: path, reason: "a damaged PNG") }
        return (width, height)
    }

    private static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

    private static func word(_ bytes: [UInt8], _ offset: Int) -> Int {
        bytes[offset..<(offset + 4)].reduce(0) { $0 << 8 | Int($1) }
    }

    private static func samples(_ raw: [UInt8], width: Int, height: Int, pixelBytes: Int) -> [UInt16] {
        var samples: [UInt16] = []
        samples.reserveCapacity(width * height)
        for row in 0..<height {
            let start = row * (width * pixelBytes + 1) + 1
            for column in 0..<width {
                let at = start + column * pixelBytes
                samples.append(pixelBytes == 2 ? UInt16(raw[at]) << 8 | UInt16(raw[at + 1]) : UInt16(raw[at]))
            }
        }
        return samples
    }

    /// Undoes the prediction of each row from its neighbours, in place; false for an unknown kind.
    private static func unfilter(_ raw: inout [UInt8], stride: Int, rows: Int, pixelBytes: Int) -> Bool {
        raw.withUnsafeMutableBufferPointer { raw in
            for row in 0..<rows {
                let start = row * (stride + 1) + 1
                let above = start - stride - 1
                let kind = raw[start - 1]
                guard kind <= 4 else { return false }
                if kind == 0 { continue }
                for i in 0..<stride {
                    let left = i >= pixelBytes ? Int(raw[start + i - pixelBytes]) : 0
                    let up = row > 0 ? Int(raw[above + i]) : 0
                    let corner = row > 0 && i >= pixelBytes ? Int(raw[above + i - pixelBytes]) : 0
                    let prediction =
                        switch kind {
                        case 1: left
                        case 2: up
                        case 3: (left + up) / 2
                        default: paeth(left, up, corner)
                        }
                    raw[start + i] &+= UInt8(truncatingIfNeeded: prediction)
                }
            }
            return true
        }
    }

    private static func paeth(_ left: Int, _ up: Int, _ corner: Int) -> Int {
        let estimate = left + up - corner
        let (a, b, c) = (abs(estimate - left), abs(estimate - up), abs(estimate - corner))
        return a <= b && a <= c ? left : b <= c ? up : corner
    }
}
