import CAssimp
import CFootholdMedia
import FootholdScene
import Foundation

/// The pictures that a model's materials are coloured with, inside the file or beside it.
///
/// A picture that is missing or can't be read leaves the material's plain colour: the model can still be shown.
struct ModelTextures {
    private let scene: aiScene
    private let folder: URL
    private var known: [String: Mesh.Picture?] = [:]

    init(scene: aiScene, folder: URL) {
        self.scene = scene
        self.folder = folder
    }

    mutating func picture(of material: UnsafeMutablePointer<aiMaterial>?) -> Mesh.Picture? {
        guard let material, let name = name(of: material) else { return nil }
        if let picture = known[name] { return picture }
        let picture = load(name)
        known[name] = .some(picture)
        return picture
    }

    private func name(of material: UnsafeMutablePointer<aiMaterial>) -> String? {
        for kind in [aiTextureType_BASE_COLOR, aiTextureType_DIFFUSE] {
            var path = aiString()
            let status = aiGetMaterialTexture(material, kind, 0, &path, nil, nil, nil, nil, nil, nil)
            guard status == aiReturn_SUCCESS else { continue }
            return withUnsafeBytes(of: path.data) { String(decoding: $0.prefix(Int(path.length)), as: UTF8.self) }
        }
        return nil
    }

    private func load(_ name: String) -> Mesh.Picture? {
        // "*0" is the first picture inside the file.
        if name.hasPrefix("*"), let index = Int(name.dropFirst()), index < Int(scene.mNumTextures),
            let texture = scene.mTextures[index]
        {
            return Self.embedded(texture.pointee)
        }
        let relative = name.removingPercentEncoding ?? name
        let file = folder.appendingPathComponent(relative.replacingOccurrences(of: "\\", with: "/"))
        guard let data = try? RegularFile.bytes(file.path) else { return nil }
        return data.withUnsafeBytes { Self.decoded($0) }
    }

    private static func embedded(_ texture: aiTexture) -> Mesh.Picture? {
        guard let texels = texture.pcData else { return nil }
        if texture.mHeight == 0 {
            // A whole picture file; the width is its size in bytes.
            return decoded(UnsafeRawBufferPointer(start: texels, count: Int(texture.mWidth)))
        }
        let (width, height) = (Int(texture.mWidth), Int(texture.mHeight))
        let pixels = (0..<width * height).flatMap { [texels[$0].r, texels[$0].g, texels[$0].b, texels[$0].a] }
        return Mesh.Picture(pixels: pixels, width: width, height: height)
    }

    private static func decoded(_ bytes: UnsafeRawBufferPointer) -> Mesh.Picture? {
        var decoder: OpaquePointer?
        guard fh_media_image_decoder_create(&decoder) == Int32(FH_MEDIA_OK) else { return nil }
        defer { fh_media_image_decoder_destroy(decoder) }
        var frame: OpaquePointer?
        var picture = fh_media_picture()
        guard
            fh_media_image_decoder_decode(
                decoder, bytes.bindMemory(to: UInt8.self).baseAddress, bytes.count, &frame) == Int32(FH_MEDIA_OK)
        else { return nil }
        defer { fh_media_frame_release(frame) }
        guard fh_media_frame_picture(frame, &picture) == Int32(FH_MEDIA_OK) else { return nil }
        let (width, height) = (Int(picture.width), Int(picture.height))
        var source = fh_encode_source()
        source.y = picture.planes.0.data
        source.y_stride = Int(picture.planes.0.bytes_per_row)
        source.color.is_full_range = picture.is_full_range
        if picture.format == Int32(FH_MEDIA_FORMAT_YUV420P) {
            source.u = picture.planes.1.data
            source.v = picture.planes.2.data
            source.chroma_stride = Int(picture.planes.1.bytes_per_row)
            source.chroma_step = 1
        } else if picture.format == Int32(FH_MEDIA_FORMAT_NV12) {
            source.u = picture.planes.1.data
            source.v = picture.planes.1.data + 1
            source.chroma_stride = Int(picture.planes.1.bytes_per_row)
            source.chroma_step = 2
        }
        let storage = PicturePool(width: width, height: height).take()
        var planes = storage.planes
        var pixels = [UInt8](repeating: 0, count: width * height * 4)
        // Nothing is laid over it: this only brings its planes into one form.
        fh_overlay_blend(&source, pixels, Int32(width), Int32(height), &planes, nil)
        fh_planes_to_rgba(&planes, source.color, Int32(width), Int32(height), &pixels)
        return Mesh.Picture(pixels: pixels, width: width, height: height)
    }
}
