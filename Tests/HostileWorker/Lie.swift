import CLinux
import FoundationEssentials
import Glibc
import StickerValues
import StickerWorkers

/// A reply that no good worker sends.
enum Lie: String {
    case noFiles = "no-files"
    case notJSON = "not-json"
    case deepJSON = "deep-json"
    case unsealed
    case tooManyFiles = "too-many-files"
    case longMessage = "long-message"
    case unknownMessage = "unknown-message"
    case twice
    case noSticker = "no-sticker"
    case notAWebP = "not-a-webp"
    case emptyFile = "empty-file"
    case filesAlone = "files-alone"

    private static let reply: [UInt8] = [0x52]

    func tell() {
        switch self {
        case .noFiles: Self.send(Self.reply, [])
        case .notJSON: Self.send(Self.reply, [Self.file("no JSON at all")])
        case .deepJSON:
            Self.send(Self.reply, [Self.file(String(repeating: "[", count: 1 << 20))])
        case .unsealed: Self.send(Self.reply, [Self.file("{}", isSealed: false)])
        case .tooManyFiles:
            Self.send(Self.reply, Array(repeating: Self.file("{}"), count: 60))
        case .longMessage: Self.send([UInt8](repeating: 0x53, count: 100_000), [])
        case .unknownMessage: Self.send([0x21], [])
        case .twice:
            Self.send(Self.reply, [Self.file("{}")])
            Self.send(Self.reply, [Self.file("{}")])
        case .noSticker:
            Self.send(
                Self.reply, [Self.file(#"{"log":\#(Self.log),"warnings":[],"missingLayers":[]}"#)])
        case .notAWebP: Self.sendSticker([Self.file("no picture")])
        case .emptyFile: Self.sendSticker([Self.file("")])
        case .filesAlone: Self.send([], [Self.file("a"), Self.file("b")])
        }
    }

    static func memoryFile() -> Int32 { clinux_memory_file("lie") }

    private static let log = #"{"entries":[],"omitted":0}"#

    /// A reply as it should be, but for its files.
    private static func sendSticker(_ files: [Int32]) {
        let file = #"{"role":"sticker","format":"webp","size":{"width":512,"height":512}}"#
        let sticker = #"{"animated":false,"encoding":{"mode":"lossless"},"files":[\#(file)]}"#
        let reply =
            #"{"sticker":\#(sticker),"log":\#(log),"warnings":[],"missingLayers":[]}"#
        send(self.reply, [Self.file(reply)] + files)
    }

    private static func file(_ text: String, isSealed: Bool = true) -> Int32 {
        let descriptor = memoryFile()
        let bytes = Array(text.utf8)
        write(descriptor, bytes, bytes.count)
        if isSealed { clinux_seal(descriptor) }
        return descriptor
    }

    private static func send(_ bytes: [UInt8], _ descriptors: [Int32]) {
        clinux_send(
            WorkerDescriptor.messages, bytes, bytes.count, descriptors, Int32(descriptors.count))
    }
}
