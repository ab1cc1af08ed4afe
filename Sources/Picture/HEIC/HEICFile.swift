internal import CHEIF
import StickerCodecs
import StickerContainers
import StickerRaster
import StickerValues

/// Owns the main picture of a file. Corresponds to `heif_context` and `heif_image_handle`.
///
/// The bytes that it reads have to outlive it.
struct HEICFile: ~Copyable {
    private let context: OpaquePointer
    fileprivate let handle: OpaquePointer
    private let bytes: UnsafeRawBufferPointer

    init(_ bytes: UnsafeRawBufferPointer) throws(CodecError) {
        guard let context = heif_context_alloc() else {
            throw CodecError(.outOfMemory, .heic, "out of memory")
        }
        var handle: OpaquePointer?
        do throws(CodecError) {
            try Self.check(
                heif_context_read_from_memory_without_copy(
                    context, bytes.baseAddress, bytes.count, nil))
            // One tile of a grid at a time; the decoder of a tile has its own threads.
            heif_context_set_max_decoding_threads(context, 0)
            try Self.check(heif_context_get_primary_image_handle(context, &handle))
            guard let handle else { throw CodecError(.malformed, .heic, "it has no main picture") }
            (self.context, self.handle, self.bytes) = (context, handle, bytes)
        } catch {
            heif_context_free(context)
            throw error
        }
    }

    deinit {
        heif_image_handle_release(handle)
        heif_context_free(context)
    }

    /// The shown size: cropped and turned.
    var size: PixelSize {
        PixelSize(
            width: Int(heif_image_handle_get_width(handle)),
            height: Int(heif_image_handle_get_height(handle)))
    }

    /// Bits of a sample, 8 if unknown.
    var bits: Int { max(8, Int(heif_image_handle_get_luma_bits_per_pixel(handle))) }

    var hasAlpha: Bool { heif_image_handle_has_alpha_channel(handle) != 0 }

    /// Whether the colours are stored multiplied by alpha.
    var isPremultiplied: Bool { heif_image_handle_is_premultiplied_alpha(handle) != 0 }

    var pictureCount: Int { Int(heif_context_get_number_of_top_level_images(context)) }

    /// The facts about its colours; a gray profile requires checking how the pixels are stored.
    func colorFacts() throws(CodecError) -> ColorFacts {
        var facts = ColorFacts(.heic, pixels: .rgb)
        facts.profile = profile
        facts.coded = codedColor
        if facts.coded == nil, let colors = HEVCColors(heic: bytes) {
            facts.coded = CodedColor(primaries: colors.primaries, transfer: colors.transfer)
            facts.codedBy = "the header of its video"
        }
        if facts.hasGrayProfile, try isGray() { facts.pixels = .gray }
        return facts
    }

    private var profile: ColorFacts.Profile? {
        let kind = heif_image_handle_get_color_profile_type(handle)
        guard kind == heif_color_profile_type_prof || kind == heif_color_profile_type_rICC else {
            return nil
        }
        let count = heif_image_handle_get_raw_color_profile_size(handle)
        guard count <= ICCOutline.bytesMax else {
            return .damaged("it has \(count) bytes, more than \(ICCOutline.bytesMax)")
        }
        var bytes = [UInt8](repeating: 0, count: count)
        let result = heif_image_handle_get_raw_color_profile(handle, &bytes)
        return result.code == heif_error_Ok ? .whole(bytes) : .damaged("it cannot be read")
    }

    private var codedColor: CodedColor? {
        var coded: UnsafeMutablePointer<heif_color_profile_nclx>?
        let result = heif_image_handle_get_nclx_color_profile(handle, &coded)
        defer { heif_nclx_color_profile_free(coded) }
        guard result.code == heif_error_Ok, let coded else { return nil }
        return CodedColor(
            primaries: Int(coded.pointee.color_primaries.rawValue),
            transfer: Int(coded.pointee.transfer_characteristics.rawValue))
    }

    /// Whether the pixels have no chroma, which libheif reports only after decoding.
    private func isGray() throws(CodecError) -> Bool {
        var image: OpaquePointer?
        try Self.check(
            heif_decode_image(
                handle, &image, heif_colorspace_undefined, heif_chroma_undefined, nil))
        defer { heif_image_release(image) }
        return heif_image_get_colorspace(image) == heif_colorspace_monochrome
    }

    static func check(_ result: heif_error) throws(CodecError) {
        guard result.code != heif_error_Ok else { return }
        let detail = CodecError.clause(result.message)
        switch result.code {
        case heif_error_Memory_allocation_error:
            let isLimit = result.subcode == heif_suberror_Security_limit_exceeded
            throw CodecError(isLimit ? .malformed : .outOfMemory, .heic, detail)
        case heif_error_Unsupported_feature, heif_error_Unsupported_filetype:
            throw CodecError(.unsupported, .heic, detail)
        case heif_error_Invalid_input where result.subcode == heif_suberror_End_of_data:
            throw CodecError(.truncated, .heic, detail)
        default:
            throw CodecError(.malformed, .heic, detail)
        }
    }
}

/// Owns decoded pixels. Corresponds to `heif_image`.
struct HEICPicture: ~Copyable {
    private let image: OpaquePointer
    private let layout: SampleLayout
    private let plane: UnsafePointer<UInt8>
    private let stride: Int
    private let bits: Int
    private let isPremultiplied: Bool
    let size: PixelSize

    /// Decodes strictly: pixels invented by libheif or libde265 are damage.
    init(_ file: borrowing HEICFile, _ layout: SampleLayout) throws(CodecError) {
        guard let options = heif_decoding_options_alloc() else {
            throw CodecError(.outOfMemory, .heic, "out of memory")
        }
        defer { heif_decoding_options_free(options) }
        options.pointee.strict_decoding = 1
        let isWide = layout == .rgba16
        var decoded: OpaquePointer?
        try HEICFile.check(
            heif_decode_image(
                file.handle, &decoded, heif_colorspace_RGB,
                isWide ? heif_chroma_interleaved_RRGGBBAA_LE : heif_chroma_interleaved_RGBA,
                options))
        guard let image = decoded else { throw CodecError(.malformed, .heic, "it has no pixels") }
        var stride: Int32 = 0
        let channel = heif_channel_interleaved
        let plane = heif_image_get_plane_readonly(image, channel, &stride)
        let width = Int(heif_image_get_width(image, channel))
        guard let plane, heif_image_get_decoding_warnings(image, 0, nil, 0) == 0,
            Int(stride) >= width * layout.bytesPerPixel
        else {
            heif_image_release(image)
            throw CodecError(.malformed, .heic, "pixels are missing")
        }
        (self.image, self.layout, self.plane, self.stride) = (image, layout, plane, Int(stride))
        size = PixelSize(width: width, height: Int(heif_image_get_height(image, channel)))
        bits = isWide ? Int(heif_image_get_bits_per_pixel_range(image, channel)) : 8
        isPremultiplied = file.isPremultiplied
    }

    deinit { heif_image_release(image) }

    /// Copies a row as straight RGBA in the layout.
    borrowing func copy(row y: Int, to pixels: UnsafeMutableRawBufferPointer) throws(CodecError) {
        pixels.copyMemory(
            from: UnsafeRawBufferPointer(start: plane + y * stride, count: pixels.count))
        if layout == .rgba16 {
            guard 9...16 ~= bits else {
                throw CodecError(.unsupported, .heic, "its samples have \(bits) bits")
            }
            let top = UInt32(1 << bits - 1)
            let samples = pixels.assumingMemoryBound(to: UInt16.self)
            for index in samples.indices {
                samples[index] = UInt16((min(UInt32(samples[index]), top) * 65535 + top / 2) / top)
            }
            if isPremultiplied { Self.divide(samples, 65535) }
        } else if isPremultiplied {
            Self.divide(pixels.assumingMemoryBound(to: UInt8.self), 255)
        }
    }

    private static func divide<Sample: FixedWidthInteger>(
        _ samples: UnsafeMutableBufferPointer<Sample>, _ top: UInt32
    ) {
        for start in Swift.stride(from: 0, to: samples.count, by: 4) {
            let alpha = UInt32(samples[start + 3])
            guard alpha > 0, alpha < top else { continue }
            for index in start..<(start + 3) {
                samples[index] = Sample(
                    min(top, (UInt32(samples[index]) * top + alpha / 2) / alpha))
            }
        }
    }
}
