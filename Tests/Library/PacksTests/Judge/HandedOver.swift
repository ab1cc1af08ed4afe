import StickerCodecs
import StickerPacks
import StickerRaster
import StickerTestSupport
import StickerValues
import Synchronization

/// The files of a form with real pictures in them: a folder, and what comes out of each archive in it.
struct HandedOver {
    private(set) var folder = MemoryTree()
    private(set) var archives: [MemoryTree] = []
    private var pictures: [String: [UInt8]] = [:]

    /// Everything that can be judged.
    var trees: [MemoryTree] { archives.isEmpty ? [folder] : archives }

    /// Writes a clean category for a platform.
    init(_ making: some PackMaking, as form: String) throws {
        let source = TestPack.cleanSource(for: making)
        for file in source.stickers.flatMap(\.files) {
            let picture = PublishedPicture(sha256: file.sha256, format: file.format)
            let size = PixelSize(width: file.width, height: file.height)
            pictures[picture.path] = try Self.picture(
                file.format, size, moves: file.frames ?? 1 > 1)
        }
        for icon in source.icons {
            pictures[icon.picture.path] = try Self.picture(.png, icon.size)
        }
        if let tray = source.tray {
            pictures[tray.path] = try Self.picture(.png, PixelSize(width: 96, height: 96))
        }
        let packs = TestPack.packs(of: source, for: making).map { pack in
            var pack = pack
            if making.isForLibrary { pack.place = 1 }
            return pack
        }
        for file in making.files(of: packs, as: form) {
            switch file.content {
            case .archive(_, let inner) where file.path.hasSuffix(".wastickers"):
                for item in inner { put(item, "\(file.path)/\(item.path)", into: &folder) }
            case .archive(_, let inner):
                var tree = MemoryTree()
                tree.name = String(file.path.prefix { $0 != "." })
                for item in inner { put(item, item.path, into: &tree) }
                archives.append(tree)
            default: put(file, file.path, into: &folder)
            }
        }
    }

    private func put(_ file: PackFile, _ path: String, into tree: inout MemoryTree) {
        switch file.content {
        case .bytes(let bytes): tree.files[path] = bytes
        case .picture(let picture): tree.files[path] = pictures[picture.path]
        case .joined, .archive: break
        }
    }

    // MARK: Pictures

    private static let known = Mutex<[String: [UInt8]]>([:])

    /// A disc, or two of different colours; each is encoded once.
    static func picture(
        _ format: ImageFormat, _ size: PixelSize, moves: Bool = false, milliseconds: Int = 100
    ) throws -> [UInt8] {
        let key = "\(format) \(size) \(moves) \(milliseconds)"
        if let bytes = known.withLock({ $0[key] }) { return bytes }
        let bytes = try encoded(format, size, moves: moves, milliseconds)
        known.withLock { $0[key] = bytes }
        return bytes
    }

    private static func encoded(
        _ format: ImageFormat, _ size: PixelSize, moves: Bool, _ milliseconds: Int
    ) throws -> [UInt8] {
        switch format {
        case .webp where moves: return try TestSticker.moving([milliseconds, milliseconds], size)
        case .webp: return try TestSticker.still(size)
        case .gif:
            let encoder = try GIFEncoder(size: size, matte: SIMD3(repeating: 255))
            for green: UInt8 in moves ? [0, 200] : [0] {
                try encoder.add(
                    frame: .disc(size, green: green), durationMilliseconds: milliseconds)
            }
            return try encoder.finish() ?? []
        case _ where moves:
            let encoder = try APNGEncoder(size: size, loopCount: 0)
            for green: UInt8 in [0, 200] {
                try encoder.add(
                    frame: .disc(size, green: green), durationMilliseconds: milliseconds)
            }
            return try encoder.finish() ?? []
        default: return try PNGEncoder.encode(.disc(size))
        }
    }
}
