import CZlib
import Foundation

/// Grey pictures as PNG (ISO/IEC 15948), 8 or 16 bits a pixel.
enum GrayPNGWriter {
    static func encode(_ pixels: UnsafeBufferPointer<UInt8>, width: Int, height: Int, bytesPerRow: Int) -> Data {
        var raw: [UInt8] = []
        raw.reserveCapacity((width + 1) * height)
        for row in 0..<height {
            raw.append(0)
            raw.append(contentsOf: pixels[(row * bytesPerRow)..<(row * bytesPerRow + width)])
        }
        return file(raw, width: width, height: height, bitDepth: 8)
    }

    static func encode(_ samples: [UInt16], width: Int, height: Int) -> Data {
        precondition(samples.count == width * height, "one sample a pixel")
        var raw: [UInt8] = []
        raw.reserveCapacity((2 * width + 1) * height)
        for row in 0..<height {
            // Each row as its difference from the one above: depth changes slowly.
            raw.append(2)
            for x in 0..<width {
                let value = samples[row * width + x]
                let above = row > 0 ? samples[(row - 1) * width + x] : 0
                raw.append(UInt8(value >> 8) &- UInt8(above >> 8))
                raw.append(UInt8(truncatingIfNeeded: value) &- UInt8(truncatingIfNeeded: above))
            }
        }
        return file(raw, width: width, height: height, bitDepth: 16)
    }

    private static func file(_ raw: [UInt8], width: Int, height: Int, bitDepth: UInt8) -> Data {
        var png = Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
        append("IHDR", bigEndian(UInt32(width)) + bigEndian(UInt32(height)) + [bitDepth, 0, 0, 0, 0], to: &png)
        append("IDAT", deflated(raw), to: &png)
        append("IEND", [], to: &png)
        return png
    }

    private static func deflated(_ raw: [UInt8]) -> [UInt8] {
        var count = compressBound(uLong(raw.count))
        var result = [UInt8](repeating: 0, count: Int(count))
        // The buffer is as large as zlib asks for, so only a lack of memory can fail here.
        let status = compress2(&result, &count, raw, uLong(raw.count), 4)
        precondition(status == Z_OK, "no memory to compress a picture")
        return Array(result.prefix(Int(count)))
    }

    private static func append(_ kind: String, _ body: [UInt8], to png: inout Data) {
        let content = Array(kind.utf8) + body
        png.append(contentsOf: bigEndian(UInt32(body.count)))
        png.append(contentsOf: content)
        png.append(contentsOf: bigEndian(UInt32(crc32(0, content, UInt32(content.count)))))
    }

    private static func bigEndian(_ word: UInt32) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: word >> $0) }
    }
}
