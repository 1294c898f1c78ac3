import Foundation

extension BuiltInModel {
    /// Fits `size` exactly.
    func makeMesh() -> Mesh {
        makeShape(isCoarse: false).withAmbientOcclusion(from: makeShape(isCoarse: true))
    }

    /// The coarse shape has the same outline with a few triangles, for what costs time by their number.
    private func makeShape(isCoarse: Bool) -> Mesh {
        let size = SIMD3<Float>(self.size)
        return switch self {
        case .box: Self.box(size, isCoarse)
        case .chair: Self.chair(size, isCoarse)
        case .cylinder: Self.cup(size, isCoarse)
        }
    }

    private static func box(_ size: SIMD3<Float>, _ isCoarse: Bool) -> Mesh {
        Mesh.roundedBox(
            size: size, radius: 0.07 * size.min(), color: SIMD3(0.93, 0.55, 0.42), steps: isCoarse ? 0 : 3,
            spacing: size.max() / 10
        ).standing()
    }

    /// An open cup: the inside is part of the profile. The coarse one is a bucket between its outer and its inner wall.
    private static func cup(_ size: SIMD3<Float>, _ isCoarse: Bool) -> Mesh {
        let r = size.x / 2
        let h = size.y
        let wall = 0.09 * r
        let foot = 0.14 * r
        if isCoarse {
            let middle = r - wall / 2
            return Mesh.turned(
                profile: [SIMD2(0, wall / 2), SIMD2(middle, wall / 2), SIMD2(middle, h - wall)], color: .one,
                segments: 16)
        }
        var profile: [SIMD2<Float>] = [SIMD2(0, 0), SIMD2(r - foot, 0)]
        profile += arc(center: SIMD2(r - foot, foot), radius: foot, from: -90, to: 0)
        profile += arc(center: SIMD2(r - wall / 2, h - wall / 2), radius: wall / 2, from: 0, to: 180)
        profile += arc(center: SIMD2(r - wall - foot, wall + foot), radius: foot, from: 0, to: -90)
        profile += [SIMD2(0, wall)]
        var mesh = Mesh.turned(profile: profile, color: SIMD3(0.95, 0.94, 0.91), spacing: size.max() / 10)
        mesh.gloss = 0.7
        return mesh
    }

    private static func arc(
        center: SIMD2<Float>, radius: Float, from: Double, to: Double, steps: Int = 4
    ) -> [SIMD2<Float>] {
        (0...steps).map { step in
            let angle = (from + (to - from) * Double(step) / Double(steps)) * .pi / 180
            return center + radius * SIMD2(Float(cos(angle)), Float(sin(angle)))
        }
    }

    private static func chair(_ size: SIMD3<Float>, _ isCoarse: Bool) -> Mesh {
        let fabric = SIMD3<Float>(0.44, 0.56, 0.62)
        let wood = SIMD3<Float>(0.80, 0.63, 0.44)
        let steps = isCoarse ? 0 : 2
        let spacing = size.max() / 10
        let (w, h, d) = (size.x, size.y, size.z)
        let seatHeight = 0.53 * h
        let seatThickness = 0.075 * h
        var mesh = Mesh()
        func add(_ part: Mesh, at center: SIMD3<Float>, lean: Float = 0) {
            mesh.append(
                part.transformed {
                    // Lean moves the top backwards, as a chair's back and hind legs do.
                    $0.position.z -= lean * $0.position.y
                    $0.position += center
                })
        }
        add(
            Mesh.roundedBox(
                size: SIMD3(w, seatThickness, 0.9 * d), radius: 0.028, color: fabric, steps: isCoarse ? 0 : 3,
                spacing: spacing),
            at: SIMD3(0, seatHeight - seatThickness / 2, 0.05 * d))
        let backHeight = h - seatHeight - 0.10 * h
        add(
            Mesh.roundedBox(
                size: SIMD3(0.96 * w, backHeight, 0.035), radius: 0.016, color: fabric, steps: isCoarse ? 0 : 3,
                spacing: spacing),
            at: SIMD3(0, h - backHeight / 2, -0.43 * d), lean: 0.12)
        let leg: Float = 0.034
        let legHeight = seatHeight - 0.6 * seatThickness
        for x: Float in [-1, 1] {
            for z: Float in [-1, 1] {
                let part = Mesh.roundedBox(
                    size: SIMD3(leg, legHeight, leg), radius: 0.010, color: wood, steps: steps, spacing: spacing
                )
                .transformed {
                    // Towards the floor legs taper and spread.
                    let down = 0.5 - $0.position.y / legHeight
                    $0.position.x = $0.position.x * (1 - 0.35 * down) + x * 0.012 * down
                    $0.position.z = $0.position.z * (1 - 0.35 * down) + z * 0.012 * down
                }
                add(part, at: SIMD3(x * (w / 2 - 0.042), legHeight / 2, z * 0.36 * d + 0.05 * d))
            }
            add(
                Mesh.roundedBox(
                    size: SIMD3(0.028, 0.30 * h, 0.022), radius: 0.009, color: wood, steps: steps, spacing: spacing),
                at: SIMD3(x * 0.30 * w, seatHeight + 0.02 * h, -0.405 * d), lean: 0.12)
        }
        return fitted(mesh.standing(), to: size)
    }

    /// Takes up the last millimetres between the parts' sum and the model's stated size.
    private static func fitted(_ mesh: Mesh, to size: SIMD3<Float>) -> Mesh {
        let (low, high) = mesh.bounds
        let scale = size / (high - low)
        return mesh.transformed { $0.position *= scale }
    }
}
