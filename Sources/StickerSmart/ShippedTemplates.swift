import Foundation
import StickerModel

/// The templates that come with stickerd.
public enum ShippedTemplates {
    /// The folder with a folder for their category: `stickerd-smart` beside the programs, as in a build, or
    /// `share/stickerd/smart` of their prefix.
    ///
    /// - Parameter worker: the path of `stickerd-worker`; `WorkerProgram.find` finds it.
    /// - Returns: an absolute path without links; `nil` if there is none.
    public static func folder(beside worker: String) -> String? {
        let folder = URL(filePath: worker).deletingLastPathComponent()
        return ["stickerd-smart", "../share/stickerd/smart"]
            .map { folder.appending(path: $0).resolvingSymlinksInPath().path }
            .first { FileManager.default.fileExists(atPath: "\($0)/\(category)") }
    }

    /// The folder of the category.
    static let category = "smart"

    /// The names that operators use and their files: `clock` is the file `smart clock.smart.svg`.
    ///
    /// - Parameter folder: see `folder(beside:)`.
    /// - Returns: in the order of the names; empty if it cannot be read.
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
}
