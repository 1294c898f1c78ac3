import CFootholdKernels
import Foundation

/// The instruction sets of this machine, best first, the scalar reference last.
let instructionSets: [String] = (0..<fh_simd_count()).map { String(cString: fh_simd_name_at($0)) }

/// Runs `body` with the calling thread's kernels forced to an instruction set. `body` must not suspend.
func withInstructionSet<Result>(_ name: String, _ body: () throws -> Result) rethrows -> Result {
    precondition(fh_simd_force(name) == FH_KERNEL_OK)
    defer { fh_simd_force(nil) }
    return try body()
}

/// SplitMix64: the same numbers for the same seed, everywhere.
struct SeededGenerator: RandomNumberGenerator {
    var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}

/// What random pictures look like: the last two find saturation and sign errors.
enum Content: CaseIterable {
    case noise, smooth, blackAndWhite, columns
}

/// Memory between two unreadable pages, so that touching a byte before or after it ends the program.
final class FencedMemory {
    enum Side { case first, last }

    let base: UnsafeMutableRawPointer
    private let pages: UnsafeMutableRawPointer
    private let length: Int

    /// `side` says which end lies directly at a fence.
    init(byteCount: Int, at side: Side) {
        let page = Int(sysconf(Int32(_SC_PAGESIZE)))
        let inner = (byteCount + page - 1) / page * page
        length = inner + 2 * page
        pages = mmap(nil, length, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
        precondition(pages != MAP_FAILED)
        mprotect(pages, page, PROT_NONE)
        mprotect(pages + page + inner, page, PROT_NONE)
        base = pages + page + (side == .first ? 0 : inner - byteCount)
    }

    deinit { munmap(pages, length) }
}

/// A picture whose first or last byte lies at a fence. With an odd stride, its rows are unaligned in every way.
final class TestPicture {
    let width: Int
    let height: Int
    let stride: Int
    private let memory: FencedMemory

    init(width: Int, height: Int, stride: Int, fence: FencedMemory.Side = .last) {
        (self.width, self.height, self.stride) = (width, height, stride)
        memory = FencedMemory(byteCount: stride * (height - 1) + width, at: fence)
    }

    convenience init(width: Int, height: Int, stride: Int, level: (_ x: Int, _ y: Int) -> Int) {
        self.init(width: width, height: height, stride: stride)
        for y in 0..<height {
            for x in 0..<width { self[x, y] = UInt8(level(x, y)) }
        }
    }

    convenience init(
        width: Int, height: Int, stride: Int, fence: FencedMemory.Side = .last, content: Content,
        using generator: inout SeededGenerator
    ) {
        self.init(width: width, height: height, stride: stride, fence: fence)
        let phase = Double.random(in: 0..<6, using: &generator)
        for y in 0..<height {
            for x in 0..<width {
                switch content {
                case .noise: self[x, y] = UInt8.random(in: 0...255, using: &generator)
                case .smooth:
                    let wave = sin(Double(x) * 0.31 + phase) + cos(Double(y) * 0.23 - phase) + sin(Double(x + y) * 0.11)
                    self[x, y] = UInt8(127.5 + 40 * wave)
                case .blackAndWhite: self[x, y] = Bool.random(using: &generator) ? 255 : 0
                case .columns: self[x, y] = (x / 2) % 2 == 0 ? 255 : 0
                }
            }
        }
    }

    var data: UnsafeMutablePointer<UInt8> { memory.base.assumingMemoryBound(to: UInt8.self) }

    subscript(x: Int, y: Int) -> UInt8 {
        get { data[y * stride + x] }
        set { data[y * stride + x] = newValue }
    }

    var image: fh_image {
        fh_image(data: data, width: Int32(width), height: Int32(height), stride: Int32(stride))
    }

    var pixels: [UInt8] { (0..<height).flatMap { y in (0..<width).map { self[$0, y] } } }
}

/// An output picture with guard bytes to the right of each row and around it.
struct GuardedOutput {
    static let guardByte: UInt8 = 0xA5
    let width: Int
    let height: Int
    let stride: Int
    var bytes: [UInt8]
    private let margin = 67

    init(width: Int, height: Int, extra: Int) {
        (self.width, self.height, stride) = (width, height, width + extra)
        bytes = Array(repeating: Self.guardByte, count: 2 * margin + stride * height)
    }

    mutating func withPixels<Result>(_ body: (UnsafeMutablePointer<UInt8>) -> Result) -> Result {
        bytes.withUnsafeMutableBufferPointer { body($0.baseAddress! + margin) }
    }

    var pixels: [UInt8] { (0..<height).flatMap { y in (0..<width).map { bytes[margin + y * stride + $0] } } }

    /// Whether every byte outside the pixels is as it was.
    var guardsAreIntact: Bool {
        bytes.indices.allSatisfy { index in
            let offset = index - margin
            let isPixel = offset >= 0 && offset < stride * height && offset % stride < width
            return isPixel || bytes[index] == Self.guardByte
        }
    }
}

/// A pyramid with the memory that it lives in.
final class TestPyramid {
    private(set) var pyramid = fh_pyramid()
    private let memory: FencedMemory

    init(_ picture: TestPicture, levels: Int = 4) {
        let size = fh_pyramid_memory_size(Int32(picture.width), Int32(picture.height), Int32(levels))
        memory = FencedMemory(byteCount: size, at: .last)
        let status = fh_pyramid_build(
            picture.data, Int32(picture.width), Int32(picture.height), Int32(picture.stride), Int32(levels),
            memory.base, size, &pyramid)
        precondition(status == FH_KERNEL_OK)
    }

    func level(_ index: Int) -> fh_image {
        withUnsafeBytes(of: pyramid.levels) { $0.bindMemory(to: fh_image.self)[index] }
    }

    /// All bytes of a level that may be read, border included.
    func borderedPixels(_ index: Int) -> [UInt8] {
        let level = level(index)
        let border = Int(FH_PYRAMID_BORDER)
        return (-border..<Int(level.height) + border).flatMap { y in
            (-border..<Int(level.width) + border).map { level.data[y * Int(level.stride) + $0] }
        }
    }
}

// swift-format-ignore: AvoidRetroactiveConformances
extension fh_point: @retroactive Equatable {
    public static func == (a: fh_point, b: fh_point) -> Bool { a.x == b.x && a.y == b.y }
}

/// The bytes of a value, for comparing C structures exactly.
func bytes<Value>(of value: Value) -> [UInt8] { withUnsafeBytes(of: value) { Array($0) } }

func bytes<Value>(of values: [Value]) -> [UInt8] { values.withUnsafeBytes { Array($0) } }
