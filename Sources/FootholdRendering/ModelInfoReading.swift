extension ModelInfo {
    /// Reads a glTF or OBJ file without drawing it.
    ///
    /// - Throws: `RenderingError` when there is no such file or it can't be read.
    public init(path: String) throws {
        let mesh = try ModelFile.load(path: path)
        let bounds = mesh.bounds
        self.init(size: SIMD3<Double>(bounds.high - bounds.low), triangleCount: mesh.indices.count / 3)
    }
}
