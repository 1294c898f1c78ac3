import FootholdExport
import FootholdPlacement
import FootholdScene
import Foundation

/// The files that a run reads and writes: no two may be the same where one would be lost by that.
struct FileClaims: Sendable {
    private enum Use {
        case reads
        case writes
        /// Replaced as a whole at the end.
        case writesFolder
    }

    private struct Claim {
        var option: String
        var path: String
        var use: Use
        /// What may be replaced by the same file.
        var kin: String?
    }

    private var claims: [Claim] = []

    /// - Parameter path: nil where the option isn't given.
    mutating func reads(_ path: String?, _ option: String) { add(path, option, .reads) }

    /// - Parameter kin: an option whose file this one may replace.
    mutating func writes(_ path: String?, _ option: String, inPlaceOf kin: String? = nil) {
        add(path, option, .writes, kin: kin)
    }

    mutating func writesFolder(_ path: String?, _ option: String) { add(path, option, .writesFolder) }

    /// What standard output and standard error were sent to, where that is a file.
    mutating func writesStandardStreams() {
        for (descriptor, name) in [(STDOUT_FILENO, "standard output"), (STDERR_FILENO, "standard error")] {
            var information = stat()
            guard fstat(descriptor, &information) == 0, information.st_mode & S_IFMT == S_IFREG else { continue }
            // Both may go into one file, which loses nothing.
            add("/proc/self/fd/\(descriptor)", name, .writes, kin: "standard output")
        }
    }

    /// What a file is: one is replaced by its like, and by nothing else.
    struct Kind: Sendable {
        var name: String
        /// Whether the file there is one.
        var isOne: @Sendable (URL) -> Bool

        static let savedWorld = beginning(with: Array("FHWORLD\n".utf8), "a saved world")
        static let savedScene = Kind(name: "a saved scene") { (try? SavedScene(contentsOf: $0)) != nil }
        static let picture = beginning(with: [0x89, 0x50, 0x4E, 0x47], "a PNG picture")
        static let calibration = beginning(with: Array("{".utf8), "a calibration")

        private static func beginning(with bytes: [UInt8], _ name: String) -> Kind {
            Kind(name: name) { url in
                let file = try? FileHandle(forReadingFrom: url)
                return (try? file?.read(upToCount: bytes.count))?.elementsEqual(bytes) == true
            }
        }
    }

    /// Checks that a whole file can be written there, and that none of another kind would be lost by that.
    /// - Throws: `UsageError` that names the option.
    static func checkWritable(_ path: String, _ option: String, replacing kind: Kind) throws(UsageError) {
        do {
            try WholeFile.checkWritable(URL(fileURLWithPath: path))
        } catch {
            throw UsageError("\(option): \(error)")
        }
        if let refusal = refusal(ofReplacing: path, by: kind) { throw UsageError("\(option) \(refusal)") }
    }

    /// Why a file may not be written over what is there; nil where nothing of another kind is.
    static func refusal(ofReplacing path: String, by kind: Kind) -> String? {
        var information = stat()
        guard stat(path, &information) == 0, information.st_size > 0, !kind.isOne(URL(fileURLWithPath: path)) else {
            return nil
        }
        return "\(ShownText.name(path)): there is a file of that name, and it isn't \(kind.name): "
            + "choose another name, or remove it"
    }

    private mutating func add(_ path: String?, _ option: String, _ use: Use, kin: String? = nil) {
        guard let path else { return }
        claims.append(Claim(option: option, path: path, use: use, kin: kin))
    }

    /// - Throws: `UsageError` that names the options that can't go together.
    func check() throws(UsageError) {
        for (number, claim) in claims.enumerated() {
            if let problem = Self.problem(of: claim) { throw UsageError(problem) }
            for other in claims[..<number] {
                if let problem = Self.clash(claim, other) { throw UsageError(problem) }
            }
        }
    }

    /// Why a file may not be written while the run lasts; nil where it may.
    ///
    /// - Parameter replacing: the options whose files may be replaced.
    func refusal(ofWriting path: String, replacing: Set<String> = []) -> String? {
        let claim = Claim(option: "the file", path: path, use: .writes)
        if let problem = Self.problem(of: claim) { return problem }
        for other in claims where !replacing.contains(other.option) {
            switch Self.meeting(claim, other) {
            case .same: return "\(ShownText.name(path)) is the file of \(other.option): choose another name"
            case .inside:
                return
                    "\(ShownText.name(path)) lies in the folder of \(other.option), which is replaced as a whole: choose another place for it"
            case nil: continue
            }
        }
        return nil
    }

    private static func problem(of claim: Claim) -> String? {
        if claim.path.isEmpty { return "\(claim.option) has an empty name: give it one" }
        if claim.path.utf8.contains(0) { return "\(claim.option) has a name with a NUL in it, which no file can have" }
        if claim.use == .writes, claim.path.hasSuffix("/") {
            return "\(claim.option) \(ShownText.name(claim.path)) is the name of a folder: give the name of a file"
        }
        if claim.use != .reads, claim.path == "-" {
            return "\(claim.option) - : it can't go to standard output; give a name (./- for a file that is called so)"
        }
        return nil
    }

    private static func clash(_ a: Claim, _ b: Claim) -> String? {
        guard a.use != .reads || b.use != .reads, a.kin != b.option, b.kin != a.option else { return nil }
        switch meeting(a, b) {
        case .same:
            let name = ShownText.name(a.path.hasPrefix("/proc/self/fd/") ? b.path : a.path)
            return
                "\(b.option) and \(a.option) are the same file (\(name)), and one of them would be lost: give each its own"
        case .inside:
            let (inner, folder) = a.use == .writesFolder ? (b, a) : (a, b)
            return
                "\(inner.option) \(ShownText.name(inner.path)) lies in the folder of \(folder.option), which is replaced as a whole: "
                + "choose another place for one of them"
        case nil: return nil
        }
    }

    private enum Meeting { case same, inside }

    private static func meeting(_ a: Claim, _ b: Claim) -> Meeting? {
        let (first, second) = (canonical(a.path), canonical(b.path))
        if first == second { return .same }
        if b.use == .writesFolder, first.hasPrefix(second + "/") { return .inside }
        if a.use == .writesFolder, second.hasPrefix(first + "/") { return .inside }
        // Two names of one file.
        var (one, other) = (stat(), stat())
        guard stat(a.path, &one) == 0, stat(b.path, &other) == 0 else { return nil }
        return one.st_dev == other.st_dev && one.st_ino == other.st_ino ? .same : nil
    }

    /// The path without links and detours, also of something that isn't there yet.
    static func canonical(_ path: String) -> String {
        var path = path
        var missing: [String] = []
        // More links than this go in a circle.
        var links = 0
        while true {
            if let real = realpath(path, nil) {
                defer { free(real) }
                let base = String(cString: real)
                return missing.reversed().reduce(base == "/" ? "" : base) { "\($0)/\($1)" }
            }
            while path.count > 1, path.hasSuffix("/") { path.removeLast() }
            // The working directory may be gone.
            guard path != "." else { return missing.reversed().reduce(".") { "\($0)/\($1)" } }
            let folder = path.contains("/") ? String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)]) + "/" : "./"
            let name = path.split(separator: "/").last.map(String.init) ?? ""
            var target = [UInt8](repeating: 0, count: Int(PATH_MAX))
            let length = target.withUnsafeMutableBytes { readlink(path, $0.baseAddress!, $0.count) }
            if length > 0, links < 40 {
                links += 1
                let text = String(decoding: target[..<length], as: UTF8.self)
                path = text.hasPrefix("/") ? text : folder + text
                continue
            }
            guard !name.isEmpty else { return missing.reversed().reduce("") { "\($0)/\($1)" } }
            if name != "." { missing.append(name) }
            path = folder
        }
    }
}
