import CFootholdMedia
import Foundation

/// Memory for pictures of one size, used again when a picture is let go.
final class PicturePool: @unchecked Sendable {
    /// One picture's memory. Goes back to the pool with its last reference.
    final class Storage {
        let planes: fh_encode_planes
        private let memory: UnsafeMutablePointer<UInt8>
        private let pool: PicturePool

        fileprivate init(memory: UnsafeMutablePointer<UInt8>, pool: PicturePool) {
            self.memory = memory
            self.pool = pool
            let chroma = ((pool.width + 1) / 2, (pool.height + 1) / 2)
            let u = memory + pool.width * pool.height
            planes = fh_encode_planes(
                y: memory, u: u, v: u + chroma.0 * chroma.1, y_stride: pool.width, chroma_stride: chroma.0)
        }

        deinit { pool.giveBack(memory) }
    }

    private let width: Int
    private let height: Int
    private let lock = NSLock()
    private var free: [UnsafeMutablePointer<UInt8>] = []

    init(width: Int, height: Int) {
        self.width = width
        self.height = height
    }

    func take() -> Storage {
        let known = lock.withLock { free.popLast() }
        let size = width * height + 2 * ((width + 1) / 2) * ((height + 1) / 2)
        return Storage(memory: known ?? .allocate(capacity: size), pool: self)
    }

    private func giveBack(_ memory: UnsafeMutablePointer<UInt8>) {
        lock.withLock { free.append(memory) }
    }

    deinit {
        for memory in free { memory.deallocate() }
    }
}
