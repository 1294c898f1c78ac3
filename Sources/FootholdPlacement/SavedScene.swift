import FootholdScene
import Foundation

/// The objects of a scene, as they are kept between sessions (R29). They come back at the same places of the same
/// world; surfaces found there adopt them. Files of version 1 are read too; they know nothing of attention.
public struct SavedScene: Hashable, Sendable, Codable {
    public static let currentVersion = 2
    private static let damaged = SceneError(description: "the saved scene is damaged; delete it to start afresh")

    public struct Object: Hashable, Sendable, Codable {
        public var id: Int
        public var name: String
        public var model: String
        /// Metres at scale 1: width, height, depth.
        public var size: [Double]
        /// The smallest and the largest scale; equal for things that can't be scaled.
        public var scaleRange: [Double]
        public var alignment: ObjectTemplate.Alignment
        public var scale: Double
        /// How many of the world's units a metre of its size is; nil for one.
        public var unitsPerMetre: Double?
        /// In the world's unit.
        public var position: [Double]
        /// x, y, z, w.
        public var rotation: [Double]
        /// What it notices of the camera; nil for nothing.
        public var attention: Attention?
    }

    public var version: Int
    public var objects: [Object]
    /// How long the world's unit is, where that is known.
    public var metresPerUnit: Double?

    /// What is wrong with a saved scene, in one line.
    public struct SceneError: Error, Hashable, Sendable, CustomStringConvertible {
        public let description: String
    }

    public init(objects: [Object], metresPerUnit: Double? = nil) {
        version = Self.currentVersion
        self.objects = objects
        self.metresPerUnit = metresPerUnit
    }

    /// - Throws: ``SceneError`` when the data is damaged or from a newer version.
    public init(data: Data) throws {
        struct Header: Decodable { var version: Int }
        guard let header = try? JSONDecoder().decode(Header.self, from: data), header.version >= 1 else {
            throw Self.damaged
        }
        guard header.version <= Self.currentVersion else {
            throw SceneError(
                description: "the saved scene is of version \(header.version), and this program reads up to "
                    + "\(Self.currentVersion): use a newer one")
        }
        guard var scene = try? JSONDecoder().decode(SavedScene.self, from: data),
            scene.objects.allSatisfy(\.isSound), isSize(scene.metresPerUnit ?? 1),
            Set(scene.objects.map(\.id)).count == scene.objects.count
        else { throw Self.damaged }
        scene.version = Self.currentVersion
        self = scene
    }

    /// - Throws: ``SceneError`` also when there is no such file.
    public init(contentsOf url: URL) throws {
        let data: Data
        do {
            data = try RegularFile.bytes(url.path)
        } catch {
            let reason =
                switch error {
                case .missing: "there is no such file"
                case .notAFile: "it is a folder, device or pipe"
                case .unreadable: "it is not yours to read"
                case .tooLarge: "it is too large to be one"
                }
            throw SceneError(description: "the saved scene can't be read from \(url.path): \(reason)")
        }
        try self.init(data: data)
    }

    /// UTF-8 JSON, the same bytes for the same scene.
    public func data() throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .prettyPrinted]
        return try encoder.encode(self)
    }

    /// Writes it whole or not at all.
    public func write(to url: URL) throws {
        do {
            try data().write(to: url, options: .atomic)
        } catch {
            throw SceneError(description: "the scene can't be saved to \(url.path): \(error.localizedDescription)")
        }
    }
}

/// True of a length, or a factor of lengths, that makes sense in a room.
private func isSize(_ value: Double) -> Bool { value > 1e-6 && value < 1e6 }

extension SavedScene.Object {
    /// True when it makes sense as an object in a room.
    fileprivate var isSound: Bool {
        guard size.count == 3, scaleRange.count == 2, position.count == 3, rotation.count == 4 else { return false }
        let square = rotation.reduce(0) { $0 + $1 * $1 }
        return (1...1_000_000_000).contains(id) && !name.isEmpty
            && (size + scaleRange + [scale, unitsPerMetre ?? 1]).allSatisfy(isSize)
            && position.allSatisfy { abs($0) < 1e6 } && abs(square - 1) < 0.01
            && scaleRange[0] <= scaleRange[1] && scale >= scaleRange[0] * 0.999 && scale <= scaleRange[1] * 1.001
    }
}

extension SavedScene.Object {
    /// True when both say the same to a few nanometres.
    fileprivate func isSame(as other: SavedScene.Object) -> Bool {
        func isNear(_ a: [Double], _ b: [Double]) -> Bool { zip(a, b).allSatisfy { abs($0 - $1) < 5e-9 } }
        var rounded = other
        (rounded.position, rounded.rotation) = (position, rotation)
        (rounded.scale, rounded.size, rounded.scaleRange) = (scale, size, scaleRange)
        rounded.unitsPerMetre = unitsPerMetre
        return rounded == self && isNear(position, other.position) && isNear(rotation, other.rotation)
            && isNear(
                size + scaleRange + [scale, unitsPerMetre ?? 1],
                other.size + other.scaleRange + [other.scale, other.unitsPerMetre ?? 1])
    }
}

extension PlacementSession {
    /// The scene as it will be when everything has come to rest.
    public func save() -> SavedScene {
        // A nanometre is enough, and makes the file the same after it was restored.
        func rounded(_ values: [Double]) -> [Double] { values.map { ($0 * 1e9).rounded() / 1e9 } }
        return SavedScene(
            objects: standing.map { object in
                var settled = object.settled
                // What looks at the camera is kept as people put it.
                if let rest = object.attention?.restHeading { settled.heading = rest }
                let rotation = settled.rotation
                let range = object.template.scaling.range
                let size = object.template.size
                // One of the two quaternions that mean the same rotation.
                let sign: Double = rotation.w < 0 ? -1 : 1
                let saved = SavedScene.Object(
                    id: object.id, name: object.template.name, model: object.template.model,
                    size: rounded([size.x, size.y, size.z]), scaleRange: rounded([range.lowerBound, range.upperBound]),
                    alignment: object.template.alignment, scale: rounded([exp(object.size.target)])[0],
                    unitsPerMetre: object.metre.target == 0 ? nil : rounded([exp(object.metre.target)])[0],
                    position: rounded([object.motion.target.x, object.motion.target.y, object.motion.target.z]),
                    rotation: rounded([rotation.x, rotation.y, rotation.z, rotation.w].map { $0 * sign }),
                    attention: object.attention?.attention)
                // What stands as it was restored is kept to the bit: rounding anew would change the last digit.
                if let last = restored[object.id], last.isSame(as: saved) { return last }
                return saved
            }, metresPerUnit: metres[worldID].map { rounded([exp(-$0)])[0] })
    }

    /// Takes away the objects that were restored for a world that turned out to be another one; taps that wait stay.
    public mutating func giveUpRestored() -> PlacementOutput {
        var output = PlacementOutput()
        for object in standing { output.objectEvents.append(ObjectEvent(kind: .removed, object: object.snapshot)) }
        if !standing.isEmpty { output.feedback.append(event(.warning, nil)) }
        leaveWorld()
        left.absent.formUnion(standing.map(\.id))
        metres[worldID] = nil
        standing = []
        restored = [:]
        history.clear()
        return tell(output)
    }

    /// Puts the objects of a saved scene in place of the present ones, provisionally, until surfaces adopt them.
    /// The history begins anew.
    public mutating func restore(_ scene: SavedScene, atNanoseconds nanoseconds: Int64) -> PlacementOutput {
        now = max(now, nanoseconds)
        var output = clear(isUndoable: false)
        history.clear()
        left = LeftObjects()
        metres = [:]
        metres[worldID] = scene.metresPerUnit.map { -log($0) }
        restored = Dictionary(scene.objects.map { ($0.id, $0) }, uniquingKeysWith: { $1 })
        output.feedback = []
        for saved in scene.objects {
            let range = saved.scaleRange[0]...saved.scaleRange[1]
            let template = ObjectTemplate(
                name: saved.name, model: saved.model, size: SIMD3(saved.size[0], saved.size[1], saved.size[2]),
                scaling: range.lowerBound == range.upperBound ? .fixed : .limited(range), alignment: saved.alignment)
            let rotation = Rotation(
                x: saved.rotation[0], y: saved.rotation[1], z: saved.rotation[2], w: saved.rotation[3])
            let target = PlacementTarget(
                basis: .instant, point: SIMD3(saved.position[0], saved.position[1], saved.position[2]),
                normal: rotation * .unitY, surfaceID: nil)
            var object = StandingObject(
                id: saved.id, template: template, target: target, frame: rotation, aim: nil, now: now)
            object.size = ScalarMotion(log(saved.scale))
            object.metre = ScalarMotion(log(saved.unitsPerMetre ?? 1))
            object.isAirborne = false
            object.attention = saved.attention.map { AttentionState(attention: $0, restHeading: 0) }
            standing.append(object)
            output.objectEvents.append(ObjectEvent(kind: .placed, object: object.snapshot))
        }
        nextID = max(nextID, (scene.objects.map(\.id).max() ?? 0) + 1)
        return tell(output)
    }
}
