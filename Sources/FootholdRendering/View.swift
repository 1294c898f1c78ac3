import FootholdScene

/// One frame's camera, ready for drawing.
struct View {
    let lens: Lens
    /// Takes world coordinates to the camera with computer-vision axes.
    let cameraFromWorld: Pose
    /// Where the camera is in the world.
    let eye: SIMD3<Double>

    init(lens: Lens, worldFromCamera: Pose) {
        self.lens = lens
        cameraFromWorld = worldFromCamera.flippingCameraAxes.inverse
        eye = worldFromCamera.position
    }

    /// True when the camera is on the side that the plane's normal (its local y) points to.
    func isAbove(_ worldFromPlane: Pose) -> Bool {
        (eye - worldFromPlane.position).dot(worldFromPlane.rotation * .unitY) > 0
    }

    /// The pixels around a local outline (x, z) of a plane; nil when all of it is outside the picture.
    func bounds(of outline: [SIMD2<Double>], on worldFromPlane: Pose, margin: Double = 2) -> PixelRect? {
        let cameraFromPlane = cameraFromWorld * worldFromPlane
        return lens.bounds(of: outline.map { cameraFromPlane * SIMD3($0.x, 0, $0.y) }, margin: margin)
    }

    /// For `LensGrid.planeSource`.
    func setPlane(_ worldFromPlane: Pose, of program: ShaderProgram) {
        let planeFromCamera = (cameraFromWorld * worldFromPlane).inverse
        program.set("uPlaneFromCamera", columns: planeFromCamera.rotation.columns)
        program.set("uCameraInPlane", planeFromCamera.position)
        program.set("uClipDepth", Lens.clipDepth)
    }
}
