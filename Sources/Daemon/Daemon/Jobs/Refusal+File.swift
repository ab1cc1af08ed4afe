import Glibc
import StickerContainers
import StickerValues

/// Refusals of the file itself, before any of its bytes are interpreted.
extension Refusal {
    static let notRegularFile = Refusal(
        .notRegularFile, "it is a link, a pipe or a device, not a file",
        remedy: "copy the picture itself into the folder")

    static func tooManyWords(_ bytes: Int64, _ limit: Int) -> Refusal {
        Refusal(
            .tooManyBytes, "the file is too large for a file of words",
            measured: "\(Int(bytes).grouped) B", limit: "\(limit.grouped) B",
            remedy: "make it shorter; \(SideFileError.formerCounts)")
    }

    /// A refusal of a side file that is a picture, or another type that is no text; `nil` if it is text.
    static func notWords(_ source: SourceBytes, _ file: SourceKey) -> Refusal? {
        let (found, remedy): (String, String)
        switch ImageFormat.sniff(source) {
        case .picture(let format):
            found = "a picture (\(format.name))"
            remedy = "or rename it to \(file.shownStem).\(format.fileExtension)"
        case .foreign(let name) where !source.isText:
            (found, remedy) = (name, "or remove the file")
        default: return nil
        }
        return Refusal(
            .invalidWords, "it is \(found), where words are needed",
            remedy: "write them into it, \(remedy); \(SideFileError.formerCounts)")
    }

    static func tooManyBytes(_ bytes: Int64, _ limit: Int) -> Refusal {
        Refusal(
            .tooManyBytes, "the file is too large", measured: "\(bytes) B",
            limit: "\(limit) B (limits.sourceBytesMax)",
            remedy: "scale the picture down; a sticker has 512x512 pixels")
    }

    static func unreadable(_ error: Int32) -> Refusal {
        Refusal(
            .unreadable, "it cannot be opened: \(String(cString: strerror(error)))",
            remedy: error == ENAMETOOLONG
                ? "shorten the path: at most 4,095 bytes below the drop folder"
                : "let the daemon's user read it, for example: chmod a+r FILE")
    }
}

extension SourceKey {
    fileprivate var shownStem: String {
        FileName.escaped(FileName.display(FileName.stem(name)))
    }
}

extension SourceBytes {
    /// Whether it is UTF-8, or has a UTF-16 byte order mark.
    fileprivate var isText: Bool {
        withUnsafeBytes { bytes in
            [[0xFE, 0xFF], [0xFF, 0xFE]].contains(Array(bytes.prefix(2)))
                || String(validating: bytes, as: UTF8.self) != nil
        }
    }
}
