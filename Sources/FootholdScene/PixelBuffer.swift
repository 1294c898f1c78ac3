/// A picture in memory that somebody else owns: the planes stay valid as long as the buffer lives.
///
/// Immutable after creation, so it may be read from several threads.
public final class PixelBuffer: @unchecked Sendable {
    public enum Format: String, Sendable {
        /// One 8-bit luma plane.
        case gray8
        /// 8-bit luma, then chroma at half width and half height as two planes (u, v).
        case yuv420p
        /// 8-bit luma, then chroma at half width and half height interleaved (u, v).
        case nv12
    }

    /// How colour was turned into luma and chroma.
    public enum ColorMatrix: String, Sendable {
        case bt601, bt709

        /// What is meant where a recording doesn't say: BT.709 from high definition on, BT.601 below.
        public static func assumed(width: Int, height: Int) -> ColorMatrix {
            min(width, height) > 576 ? .bt709 : .bt601
        }
    }

    public struct Plane: @unchecked Sendable {
        public let base: UnsafePointer<UInt8>
        public let width: Int
        public let height: Int
        public let bytesPerRow: Int

        public init(base: UnsafePointer<UInt8>, width: Int, height: Int, bytesPerRow: Int) {
            self.base = base
            self.width = width
            self.height = height
            self.bytesPerRow = bytesPerRow
        }
    }

    public let format: Format
    public let width: Int
    public let height: Int
    /// The luma plane first.
    public let planes: [Plane]
    /// True when luma spans 0…255 rather than 16…235.
    public let isFullRange: Bool
    public let colorMatrix: ColorMatrix
    private let release: @Sendable () -> Void

    /// - Parameters:
    ///   - colorMatrix: nil where it isn't known: assumed from the picture's size.
    ///   - release: called once when the last reference goes, to give the memory back.
    public init(
        format: Format, width: Int, height: Int, planes: [Plane], isFullRange: Bool, colorMatrix: ColorMatrix? = nil,
        release: @escaping @Sendable () -> Void
    ) {
        self.format = format
        self.width = width
        self.height = height
        self.planes = planes
        self.isFullRange = isFullRange
        self.colorMatrix = colorMatrix ?? .assumed(width: width, height: height)
        self.release = release
    }

    /// Copies 8-bit luma, rows packed without padding.
    public convenience init(copyingLuma luma: [UInt8], width: Int, height: Int) {
        precondition(luma.count == width * height, "luma has width × height bytes")
        let memory = UnsafeMutablePointer<UInt8>.allocate(capacity: max(1, luma.count))
        memory.initialize(from: luma, count: luma.count)
        let address = UInt(bitPattern: memory)
        self.init(
            format: .gray8, width: width, height: height,
            planes: [Plane(base: UnsafePointer(memory), width: width, height: height, bytesPerRow: width)],
            isFullRange: true,
            release: { UnsafeMutablePointer<UInt8>(bitPattern: address)?.deallocate() })
    }

    public var luma: Plane { planes[0] }

    deinit { release() }
}
