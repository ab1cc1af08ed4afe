import FoundationEssentials
import Glibc
public import StickerValues

/// The smart stickers that come with stickerd.
public enum ShippedTemplates {
    /// The name of their drop.
    public static let dropName = "stickerd-smart"

    /// Their permanent, reserved ids.
    public static let identifiers: Set<String> = [
        "smart_clock", "smart_date", "smart_time", "smart_weather_cloud",
        "smart_weather_thermostat", "smart_weekday",
    ]

    /// Whether a sticker is one of them. An earlier release may have given such an id to another picture.
    ///
    /// - Parameters:
    ///   - identifier: its id.
    ///   - name: the name of its source file.
    /// - Returns: whether both its id and its file match.
    public static func include(_ identifier: StickerID, madeFrom name: [UInt8]) -> Bool {
        identifiers.contains(identifier.rawValue) && FileName.isTemplate(name)
    }

    /// The folder that contains their category's folder: `stickerd-smart` beside the running program, as in a build, or
    /// `share/stickerd/smart` of its prefix.
    ///
    /// - Returns: an absolute path without links; `nil` if there is none.
    public static func folder() -> String? {
        ["stickerd-smart", "../share/stickerd/smart"].lazy
            .compactMap { realPath("\(RunningProgram.folder)/\($0)") }
            .first { FileManager.default.fileExists(atPath: "\($0)/\(category)") }
    }

    static let category = "smart"

    /// The operators' names for them and their files: `clock` is the file `smart clock.smart.svg`.
    ///
    /// - Parameter folder: see `folder()`.
    /// - Returns: ordered by name; empty if it cannot be read.
    public static func files(in folder: String) -> [(name: String, path: String)] {
        let files =
            (try? FileManager.default.contentsOfDirectory(atPath: "\(folder)/\(category)")) ?? []
        return files.filter { $0.hasSuffix(FileName.templateSuffix) }.sorted().map { file in
            let words = file.dropLast(FileName.templateSuffix.count).split(separator: " ").drop {
                $0 == "smart"
            }
            return (words.joined(separator: "-"), "\(folder)/\(category)/\(file)")
        }
    }

    private static func realPath(_ path: String) -> String? {
        guard let real = realpath(path, nil) else { return nil }
        defer { free(real) }
        return String(cString: real)
    }
}

/// The program that runs.
public enum RunningProgram {
    /// Its folder.
    public static let folder: String = {
        var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
        let length = readlink("/proc/self/exe", &bytes, bytes.count)
        let path = String(
            decoding: bytes.prefix(max(0, length)).map(UInt8.init(bitPattern:)), as: UTF8.self)
        return path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
    }()
}

extension DropFolder {
    /// Whether it holds the smart stickers that come with stickerd, and no pictures of users.
    public var isShipped: Bool { name == ShippedTemplates.dropName }
}

extension Configuration {
    /// The users' drops.
    public var ownDropPaths: [String] { drops.filter { !$0.isShipped }.map(\.path) }
    /// The folder of the smart stickers that come with stickerd, if they are made.
    public var shippedDrop: String? { drops.first(where: \.isShipped)?.path }
}
