import FootholdScene
import Foundation
import Synchronization

/// Memory for pictures of one size that is used again and again. From any thread.
public final class PixelPool: Sendable {
    /// Where to put one plane.
    public struct Plane {
        public let base: UnsafeMutablePointer<UInt8>
        public let bytesPerRow: Int
    }

    private struct Block: @unchecked Sendable {
        let base: UnsafeMutableRawPointer
        let capacity: Int
    }

    private let free = Mutex<[Block]>([])

    public init() {}

    deinit { free.withLock { for block in $0 { block.base.deallocate() } } }

    /// A picture that `fill` writes.
    public func make(
        format: PixelBuffer.Format, width: Int, height: Int, isFullRange: Bool,
        colorMatrix: PixelBuffer.ColorMatrix? = nil, fill: ([Plane]) -> Void
    ) -> PixelBuffer {
        func padded(_ bytes: Int) -> Int { (bytes + 63) / 64 * 64 }
        let (halfWidth, halfHeight) = ((width + 1) / 2, (height + 1) / 2)
        let chroma: [(width: Int, bytes: Int)] =
            switch format {
            case .gray8: []
            case .yuv420p: [(halfWidth, halfWidth), (halfWidth, halfWidth)]
            case .nv12: [(halfWidth, 2 * halfWidth)]
            }
        let size = padded(width) * height + chroma.reduce(0) { $0 + padded($1.bytes) * halfHeight }
        let block = take(size)
        var next = block.base.assumingMemoryBound(to: UInt8.self)
        var targets = [Plane(base: next, bytesPerRow: padded(width))]
        var planes = [PixelBuffer.Plane(base: next, width: width, height: height, bytesPerRow: padded(width))]
        next += padded(width) * height
        for plane in chroma {
            targets.append(Plane(base: next, bytesPerRow: padded(plane.bytes)))
            planes.append(.init(base: next, width: plane.width, height: halfHeight, bytesPerRow: padded(plane.bytes)))
            next += padded(plane.bytes) * halfHeight
        }
        fill(targets)
        return PixelBuffer(
            format: format, width: width, height: height, planes: planes, isFullRange: isFullRange,
            colorMatrix: colorMatrix, release: { [self] in give(block) })
    }

    /// The same picture in memory of its own.
    public func copy(of picture: PixelBuffer) -> PixelBuffer {
        make(
            format: picture.format, width: picture.width, height: picture.height, isFullRange: picture.isFullRange,
            colorMatrix: picture.colorMatrix
        ) { targets in
            for (index, (plane, target)) in zip(picture.planes, targets).enumerated() {
                let bytes = picture.format == .nv12 && index == 1 ? 2 * plane.width : plane.width
                for row in 0..<plane.height {
                    memcpy(target.base + row * target.bytesPerRow, plane.base + row * plane.bytesPerRow, bytes)
                }
            }
        }
    }

    private func take(_ size: Int) -> Block {
        let found = free.withLock { blocks -> Block? in
            guard let index = blocks.lastIndex(where: { $0.capacity >= size }) else { return nil }
            return blocks.remove(at: index)
        }
        return found ?? Block(base: .allocate(byteCount: max(1, size), alignment: 64), capacity: max(1, size))
    }

    private func give(_ block: Block) { free.withLock { $0.append(block) } }
}
