internal import CWebP
import StickerRaster
import StickerValues

/// Owns one `WebPPicture` at a fixed address, as libwebp requires.
final class WebPPicture {
    let pointer: UnsafeMutablePointer<CWebP.WebPPicture>
    private var budget: WorkBudget?

    /// Imports `buffer` as ARGB.
    init(_ buffer: borrowing PixelBuffer) throws(CodecError) {
        pointer = try Self.makePicture(buffer.size)
        pointer.pointee.use_argb = 1
        let stride = Int32(buffer.stride)
        let imported = buffer.withUnsafeBytes { bytes in
            WebPPictureImportRGBA(
                pointer, bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), stride)
        }
        guard imported != 0 else { throw Self.noMemory }
    }

    /// Uses the samples of `yuv`, and the alpha plane of `buffer` unless that is opaque.
    init(_ yuv: YUVPicture, alphaOf buffer: borrowing PixelBuffer) throws(CodecError) {
        pointer = try Self.makePicture(yuv.size)
        let hasAlpha = !buffer.isOpaque
        pointer.pointee.colorspace = hasAlpha ? WEBP_YUV420A : WEBP_YUV420
        guard WebPPictureAlloc(pointer) != 0 else { throw Self.noMemory }
        let planes = pointer.pointee
        Self.copy(yuv.luma, yuv.size, to: planes.y, stride: planes.y_stride)
        Self.copy(yuv.blueDifference, yuv.chromaSize, to: planes.u, stride: planes.uv_stride)
        Self.copy(yuv.redDifference, yuv.chromaSize, to: planes.v, stride: planes.uv_stride)
        guard hasAlpha, let alpha = planes.a else { return }
        let (width, stride) = (yuv.size.width, Int(planes.a_stride))
        buffer.withUnsafeBytes { bytes in
            for pixel in 0..<yuv.size.pixelCount {
                alpha[pixel / width * stride + pixel % width] = bytes[pixel * 4 + 3]
            }
        }
    }

    /// Runs `body` while the colours are gray.
    func withFlatColors<Result, Failure: Error>(
        _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let planes = pointer.pointee
        let luma = Int(planes.y_stride) * Int(planes.height)
        let color = Int(planes.uv_stride) * ((Int(planes.height) + 1) / 2)
        // libwebp writes to it where alpha is 0.
        let gray = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: max(luma, color))
        gray.initialize(repeating: 128)
        let samples = gray.baseAddress
        (pointer.pointee.y, pointer.pointee.u, pointer.pointee.v) = (samples, samples, samples)
        defer {
            (pointer.pointee.y, pointer.pointee.u, pointer.pointee.v) = (
                planes.y, planes.u, planes.v
            )
            gray.deallocate()
        }
        return try body()
    }

    /// The samples as they are now, without the alpha plane.
    var yuv: YUVPicture {
        let planes = pointer.pointee
        let size = PixelSize(width: Int(planes.width), height: Int(planes.height))
        let squares = PixelSize(width: (size.width + 1) / 2, height: (size.height + 1) / 2)
        return YUVPicture(
            size: size, luma: Self.samples(planes.y, size, stride: planes.y_stride),
            blueDifference: Self.samples(planes.u, squares, stride: planes.uv_stride),
            redDifference: Self.samples(planes.v, squares, stride: planes.uv_stride))
    }

    private static func samples(
        _ plane: UnsafeMutablePointer<UInt8>?, _ size: PixelSize, stride: Int32
    ) -> [UInt8] {
        var samples: [UInt8] = []
        samples.reserveCapacity(size.pixelCount)
        for row in 0..<size.height {
            samples += UnsafeBufferPointer(
                start: plane.map { $0 + row * Int(stride) }, count: size.width)
        }
        return samples
    }

    /// The cause of a libwebp error: lack of memory, or a bug of ours.
    static func code(_ error: WebPEncodingError) -> CodecError.Code {
        switch error {
        case VP8_ENC_ERROR_OUT_OF_MEMORY, VP8_ENC_ERROR_BITSTREAM_OUT_OF_MEMORY: .outOfMemory
        default: .encoder
        }
    }

    private static let noMemory = CodecError(.outOfMemory, .webp, "no memory for a picture")

    private static func makePicture(
        _ size: PixelSize
    ) throws(CodecError) -> UnsafeMutablePointer<CWebP.WebPPicture> {
        let pointer = UnsafeMutablePointer<CWebP.WebPPicture>.allocate(capacity: 1)
        pointer.initialize(to: CWebP.WebPPicture())
        guard WebPPictureInit(pointer) != 0 else {
            pointer.deallocate()
            throw CodecError(.encoder, .webp, "the libwebp headers and library differ")
        }
        pointer.pointee.width = Int32(size.width)
        pointer.pointee.height = Int32(size.height)
        return pointer
    }

    private static func copy(
        _ samples: [UInt8], _ size: PixelSize, to plane: UnsafeMutablePointer<UInt8>?, stride: Int32
    ) {
        samples.withUnsafeBufferPointer { samples in
            guard let plane, let start = samples.baseAddress else { return }
            for y in 0..<size.height {
                (plane + y * Int(stride)).update(from: start + y * size.width, count: size.width)
            }
        }
    }

    deinit {
        WebPPictureFree(pointer)
        pointer.deinitialize(count: 1)
        pointer.deallocate()
    }

    /// Lets libwebp check `budget` while it codes this picture; the picture keeps the budget alive.
    func bound(by budget: WorkBudget?) {
        guard let budget else { return }
        self.budget = budget
        pointer.pointee.user_data = Unmanaged.passUnretained(budget).toOpaque()
        pointer.pointee.progress_hook = { _, picture in
            guard let data = picture?.pointee.user_data else { return 1 }
            return Unmanaged<WorkBudget>.fromOpaque(data).takeUnretainedValue().isUsedUp ? 0 : 1
        }
    }

    /// Throws the cause of libwebp's failure: time, memory, or a bug of ours.
    func fail(_ detail: String) throws(CodecError) -> Never {
        try budget?.check(.webp)
        throw CodecError(Self.code(pointer.pointee.error_code), .webp, detail)
    }

    /// Encodes with `config`; the result is a whole WebP file.
    func encode(_ config: borrowing WebPConfig) throws(CodecError) -> [UInt8] {
        let writer = UnsafeMutablePointer<WebPMemoryWriter>.allocate(capacity: 1)
        writer.initialize(to: WebPMemoryWriter())
        WebPMemoryWriterInit(writer)
        defer {
            WebPMemoryWriterClear(writer)
            writer.deallocate()
        }
        try budget?.check(.webp)
        pointer.pointee.writer = WebPMemoryWrite
        pointer.pointee.custom_ptr = UnsafeMutableRawPointer(writer)
        var config = copy config
        guard WebPEncode(&config, pointer) != 0 else {
            try fail("WebPEncode error \(pointer.pointee.error_code.rawValue)")
        }
        return Array(UnsafeBufferPointer(start: writer.pointee.mem, count: writer.pointee.size))
    }
}
