import FoundationEssentials
import StickerConfiguration
import StickerContainers
import StickerFormats
import StickerRaster
import StickerStore
import StickerValues

@testable import StickerCodecs
@testable import StickerWorkers

/// Code that reads untrusted bytes. A target fails by a trap, by what a sanitizer notices, by its time and
/// memory, and where it breaks a promise that it is asked about.
enum FuzzTarget: String, CaseIterable {
    // In the worker, through libraries of C.
    case png, apng, jpeg, gif, webp, awebp, bmp, tiff, profile
    // In the daemon, in Swift alone.
    case containers, audit, names
    // Between the two: the first two are read by the daemon, the last by the worker.
    case messages, reply, order
    // Files of the operator, or of anyone who may write them.
    case configuration
    // Input of `stickerctl import`.
    case archives, packs

    func run(_ bytes: UnsafeRawBufferPointer) {
        switch self {
        case .png: Self.decodeStill(bytes, PNGDecoder.self)
        case .jpeg: Self.decodeStill(bytes, JPEGDecoder.self)
        case .apng: Self.decodeAnimation(bytes, APNGDecoder.self)
        case .gif: Self.decodeAnimation(bytes, GIFDecoder.self)
        case .webp: Self.decodeStill(bytes, WebPStillDecoder.self)
        case .awebp: Self.decodeAnimation(bytes, WebPMovingDecoder.self)
        case .bmp: Self.decodeStill(bytes, BMPDecoder.self)
        case .tiff: Self.decodeStill(bytes, TIFFDecoder.self)
        case .profile: Self.convert(bytes)
        case .containers: Self.walk(bytes)
        case .audit: Self.audit(bytes)
        case .names: Self.name(bytes)
        case .messages: FuzzMessages.receive(bytes)
        case .reply: FuzzReply.audit(bytes)
        case .order:
            _ = try? WorkOrder(json: Data(bytes))  // refusing is right
            let words = String(decoding: bytes, as: UTF8.self).split(separator: " ")
            _ = WorkerAllowance(arguments: words.map(String.init))
        case .configuration: Self.configure(bytes)
        case .archives: FuzzArchive.read(bytes)
        case .packs: FuzzPack.read(bytes)
        }
    }

    /// Small, so that many inputs are tested per second.
    private static let limits: DecodeLimits = {
        var limits = DecodeLimits()
        limits.framePixelsMax = 1 << 18
        limits.totalPixelsMax = 1 << 22
        limits.framesMax = 64
        return limits
    }()

    // MARK: In the worker

    private static func decodeStill(
        _ bytes: UnsafeRawBufferPointer, _ decoder: (some StillDecoding).Type
    ) {
        // A refusal means that the decoder has handled the input.
        guard let picture = try? decoder.init(SourceBytes(Array(bytes)), limits: limits) else {
            return
        }
        let conversion = ColorConversion(picture.header)
        for side in [64, 512] {
            let size = picture.decodedSize(longSideAtLeast: side)
            precondition(size.width > 0 && size.height > 0)
            var rows = 0
            let whole: Void? = try? picture.decode(size: size) { row in
                precondition(row.count >= size.width * picture.header.layout.bytesPerPixel)
                _ = conversion.convert(row: row, pixels: size.width)
                rows += 1
            }
            precondition(whole == nil || rows == size.height, "rows are missing")
        }
    }

    private static func decodeAnimation(
        _ bytes: UnsafeRawBufferPointer, _ decoder: (some AnimationDecoding).Type
    ) {
        guard let decoder = try? decoder.init(SourceBytes(Array(bytes)), limits: limits) else {
            return
        }
        precondition(decoder.frameCount >= 1 && decoder.durationMilliseconds >= 0)
        var frames = 0
        while let frame = try? decoder.next() {  // refusing is right
            precondition(frame.index == frames && frame.delayMilliseconds > 0)
            decoder.withCanvas { precondition($0.count == 4 * decoder.header.size.pixelCount) }
            frames += 1
        }
        precondition(frames <= decoder.frameCount)
    }

    /// The first byte chooses the samples.
    private static func convert(_ bytes: UnsafeRawBufferPointer) {
        guard let first = bytes.first else { return }
        let layout = [SampleLayout.rgba8, .rgba16, .cmyk8][Int(first) % 3]
        let pixels = 64
        let header = ImageHeader(
            format: .png, size: PixelSize(width: pixels, height: 1), layout: layout,
            hasAlpha: true, color: .icc(Array(bytes.dropFirst())), detail: "")
        let row = (0..<pixels * layout.bytesPerPixel).map { UInt8(truncatingIfNeeded: $0 &* 37) }
        row.withUnsafeBytes { _ = ColorConversion(header).convert(row: $0, pixels: pixels) }
    }

    // MARK: In the daemon

    private static func walk(_ bytes: UnsafeRawBufferPointer) {
        let source = SourceBytes(Array(bytes))
        _ = ImageFormat.sniff(source)
        _ = Container.completeness(of: source)
        _ = PictureOutline.read(source)
        _ = PictureOutline.isCMYK(source)
        _ = PictureCost(source).foretold(within: limits)
        let published = PublishedFacts(
            isAnimated: true, canvas: TargetCanvas(width: 512, height: 512), hasAlphaFlag: false)
        _ = MendedFault.faults(in: source, published, madeBy: 0)
    }

    /// The first byte chooses the format, the second the number of frames.
    private static func audit(_ bytes: UnsafeRawBufferPointer) {
        guard bytes.count > 2 else { return }
        let (file, frames) = (Array(bytes.dropFirst(2)), Int(bytes[1] % 4))
        let size = PixelSize.sticker
        switch bytes[0] % 4 {
        case 0:
            _ = WebPAudit.faults(
                in: file, canvas: size, frames: frames == 0 ? nil : frames,
                durationMilliseconds: frames == 0 ? nil : frames * 100)
        case 1: _ = PNGAudit.faults(in: file, size: size)
        case 3:
            _ = PNGAudit.faults(
                in: file, size: size, frames: frames, durationMilliseconds: frames * 100,
                loopCount: 0)
        default:
            _ = GIFAudit.faults(
                in: file, size: size, frames: frames, durationMilliseconds: frames * 100)
        }
    }

    private static func name(_ bytes: UnsafeRawBufferPointer) {
        let text = String(decoding: bytes, as: UTF8.self)
        if let id = Slug.make(from: text) {
            precondition(1...Slug.lengthMax ~= id.utf8.count)
            let own = Slug.unreserved(id, kind: "sticker")
            precondition(!Slug.isReserved(Slug.numbered(own, 2)))
            for id in [own, Slug.numbered(own, 2), Slug.numbered(own, 12_345)] {
                precondition(
                    id.utf8.count <= Slug.lengthMax && Slug.make(from: id) == id, "\(id) is no id")
            }
        }
        _ = SortKey.make(fileName: Array(bytes))
        _ = StickerName(fileName: Array(bytes))
        _ = FileName.title(text)
        let shown = FileName.escaped(text)
        precondition(!shown.unicodeScalars.contains { $0.properties.generalCategory == .control })
    }

    private static func configure(_ bytes: UnsafeRawBufferPointer) {
        do {
            _ = try Configuration(json: Data(bytes))
        } catch {
            precondition(!error.faults.isEmpty && !error.description.isEmpty)
        }
    }
}
