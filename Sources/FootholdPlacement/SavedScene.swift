import Foundation
import FootholdScene

/// The objects of a scene, as they are kept between sessions (R29). They come back at the same places of the same
/// world; surfaces found there adopt them.
public struct SavedScene: Hashable, Sendable, Codable {
    public static let currentVersion = 1

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
        /// Metres.
        public var position: [Double]
        /// x, y, z, w.
        public var rotation: [Double]
    }

    public var version: Int
    public var objects: [Object]

    /// What is wrong with a saved scene, in one line.
    public struct SceneError: Error, Hashable, Sendable, CustomStringConvertible {
        public let description: String
    }

    public init(objects: [Object]) {
        version = Self.currentVersion
        self.objects = objects
    }

    /// - Throws: ``SceneError`` when the data is damaged or from a newer version.
    public init(data: Data) throws {
        guard let scene = try? JSONDecoder().decode(SavedScene.self, from: data) else {
            throw SceneError(description: "the saved scene is damaged; delete it to start afresh")
        }
        guard scene.version == Self.currentVersion else {
            throw SceneError(
                description: "the saved scene is of version \(scene.version); this program reads \(Self.currentVersion)")
        }
        for object in scene.objects {
            let numbers = object.size + object.scaleRange + object.position + object.rotation + [object.scale]
            guard object.size.count == 3, object.scaleRange.count == 2, object.position.count == 3,
                object.rotation.count == 4, numbers.allSatisfy(\.isFinite), object.size.allSatisfy({ $0 > 0 }),
                object.scaleRange[0] > 0, object.scaleRange[0] <= object.scaleRange[1], object.scale > 0
            else { throw SceneError(description: "the saved scene is damaged; delete it to start afresh") }
        }
        self = scene
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

extension PlacementSession {
    /// The scene as it will be when everything has come to rest.
    public func save() -> SavedScene {
        SavedScene(
            objects: standing.map { object in
                let pose = object.targetPose
                let range = object.template.scaling.range
                return SavedScene.Object(
                    id: object.id, name: object.template.name, model: object.template.model,
                    size: [object.template.size.x, object.template.size.y, object.template.size.z],
                    scaleRange: [range.lowerBound, range.upperBound], alignment: object.template.alignment,
                    scale: exp(object.size.target), position: [pose.position.x, pose.position.y, pose.position.z],
                    rotation: [pose.rotation.x, pose.rotation.y, pose.rotation.z, pose.rotation.w])
            })
    }

    /// Puts the objects of a saved scene in place of the present ones, provisionally, until surfaces adopt them.
    /// The history begins anew.
    public mutating func restore(_ scene: SavedScene, atNanoseconds nanoseconds: Int64) -> PlacementOutput {
        now = max(now, nanoseconds)
        var output = reset()
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
            object.isAirborne = false
            standing.append(object)
            output.objectEvents.append(ObjectEvent(kind: .placed, object: object.snapshot))
        }
        nextID = max(nextID, (scene.objects.map(\.id).max() ?? 0) + 1)
        return output
    }
}
