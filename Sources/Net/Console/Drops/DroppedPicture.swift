import Foundation
import Glibc
import NIOCore
import StickerConfiguration
import StickerContainers
import StickerHTTP
import StickerStore
import StickerSystem
import StickerValues
import Synchronization

/// A picture on its way from a browser into a folder of a drop, under a hidden name until it is whole.
final class DroppedPicture: Sendable {
    /// The result for a picture.
    struct Outcome: Sendable {
        enum State: String, Sendable {
            case added, replaced
            /// It becomes the picture of the category, not a sticker.
            case cover
            /// The same bytes were there already.
            case there
        }

        var state: State
        /// Other stickers of the same bytes.
        var twins: [StickerID]
        /// Puts the replaced picture back.
        var back: FileMove?

        /// The answer to the page.
        ///
        /// - Parameter did: the number of the outcome, if it can be undone.
        /// - Returns: JSON.
        func answer(did: Int?) -> Answer {
            var answer = Answer.json { json in
                if let did { json.number("did", did) }
                json.text("state", state.rawValue)
                if !twins.isEmpty {
                    json.text("twins", twins.map(\.rawValue).joined(separator: ", "))
                }
            }
            answer.set("Cache-Control", "no-store")
            return answer
        }
    }

    /// The first bytes, which show the type of a picture.
    private static let headBytes = 1024

    private struct State: ~Copyable {
        var head: [UInt8] = []
        var count = 0
        var hash: SHA256? = SHA256()
    }

    private let key: SourceKey
    private let folder: FixedFolder
    private let file: PendingFile
    /// The hash of the file whose place it may take.
    private let replaced: String?
    /// Whether the folder was made for it.
    private let isFirst: Bool
    private let bytesMax: Int
    /// The editor who drops it, whose picture needs no review; `nil` for others, or without reviews.
    private let editor: Person?
    private let operations: Operations
    private let state = Mutex(State())

    /// The file below the drop, for people.
    var shown: String { key.display }

    /// The change that an outcome is, for the history.
    func change(_ outcome: Outcome) -> NewChange? {
        switch outcome.state {
        case .added: NewChange("added it", of: [key])
        case .replaced: NewChange("replaced the picture", of: [key])
        case .cover: NewChange("made it the picture of the category", of: [key])
        case .there: nil
        }
    }

    /// - Parameters:
    ///   - query: `name`, and either `category`, the id of one, or `folder`, the name of one that may be new; `replace`,
    ///     the hash of a file of that name, to take its place.
    ///   - configuration: with the drops that the console may write to, and the largest picture.
    ///   - operations: tell of stickers of the same bytes.
    ///   - catalog: knows the folders of categories.
    ///   - editor: the editor who drops it, whose picture needs no review; `nil` for others, or without reviews.
    /// - Throws: `WebError` if no picture may come there.
    init(
        _ query: [String: String], into configuration: Configuration, _ operations: Operations,
        _ catalog: Catalog, editor: Person?
    ) throws {
        let (drop, directory) = try Self.place(query, configuration.console.drops, catalog)
        key = SourceKey(
            drop: drop, directory: directory,
            name: try DropName.picture(query["name"] ?? ""))
        replaced = query["replace"]
        bytesMax = configuration.limits.sourceBytesMax
        self.operations = operations
        self.editor = editor
        try DropName.checkType(key)
        do throws(FileError) {
            (folder, isFirst) = try Self.folder(
                directory, below: drop, makes: query["category"] == nil)
            file = try PendingFile(
                for: "\(folder.path)/\(FileName.display(key.name))", mode: 0o600)
        } catch {
            throw Self.refusal(error, key)
        }
    }

    deinit { discard() }

    /// Removes the hidden file while the folder is still open, and a folder that was made for nothing.
    func discard() {
        file.discard()
        // One with other files stays.
        if isFirst { rmdir("\(key.drop)/\(FileName.display(key.directory))") }
    }

    private static func place(
        _ query: [String: String], _ drops: [String], _ catalog: Catalog
    ) throws -> (drop: String, directory: [UInt8]) {
        guard let first = drops.first else {
            throw WebError(
                status: 403, message: "the console may write to no drop",
                remedy: "name one in console.drops")
        }
        if let category = query["category"] {
            guard let file = try catalog.wordsFile(of: CategoryID(rawValue: category)) else {
                throw WebError(
                    status: 404, message: "the category has no folder",
                    remedy: "make a new category")
            }
            guard drops.contains(file.drop) else {
                throw WebError(
                    status: 403, message: "the console may not write to \(file.drop)",
                    remedy: "name it in console.drops")
            }
            return (file.drop, file.directory)
        }
        let name = (query["folder"] ?? "").trimmed
        let bytes = Array(name.utf8)
        guard !name.isEmpty, bytes.count <= 255, !bytes.contains(UInt8(ascii: "/")),
            !FileKind.isIgnoredName(bytes), FileName.visible(name) == name
        else {
            throw WebError(
                status: 400,
                message: "“\(FileName.escaped(name).prefix(80))” is no name of a category",
                remedy: "choose one of up to 255 bytes, without slashes and no dot at its start")
        }
        return (first, bytes)
    }

    /// The folder; a new one gets the rights of the drop.
    private static func folder(
        _ directory: [UInt8], below drop: String, makes: Bool
    ) throws(FileError) -> (FixedFolder, isNew: Bool) {
        do throws(FileError) {
            return (try FixedFolder(directory, below: drop), false)
        } catch {
            guard makes, error.errno == ENOENT else { throw error }
        }
        let root = try FixedFolder([], below: drop)
        let path = "\(root.path)/\(FileName.display(directory))"
        var (wanted, made) = (stat(), stat())
        try SystemCall.run("stat", drop) { stat(root.path, &wanted) }
        let isNew = mkdir(path, wanted.st_mode & 0o777) == 0
        guard isNew || errno == EEXIST else {
            throw FileError(call: "mkdir", path: path, errno: errno)
        }
        if isNew {
            try SystemCall.run("stat", path) { stat(path, &made) }
            // Others who share the drop share the folder. A unit may not set the bit by which the group is inherited.
            let lacking = wanted.st_mode & ~made.st_mode & 0o070
            if lacking != 0 {
                try SystemCall.run("chmod", path) { chmod(path, made.st_mode & 0o7777 | lacking) }
            }
            try SystemCall.syncFolder(root.path)
        }
        return (try FixedFolder(directory, below: drop), isNew)
    }

    /// Receives the next part. May block.
    ///
    /// - Throws: `WebError` if no more is accepted.
    func take(_ bytes: ByteBuffer) throws {
        let count = state.withLock { state in
            state.count += bytes.readableBytes
            state.head += bytes.readableBytesView.prefix(Self.headBytes - state.head.count)
            bytes.withUnsafeReadableBytes { state.hash?.update($0) }
            return state.count
        }
        guard count <= bytesMax else {
            throw WebError(
                status: 413, message: "it has more than \(bytesMax.grouped) B",
                remedy: "make it smaller; the limit is limits.sourceBytesMax")
        }
        do {
            try bytes.withUnsafeReadableBytes { try file.append($0) }
        } catch let error as FileError {
            throw Self.refusal(error, key)
        }
    }

    /// Puts the picture in place.
    ///
    /// - Throws: `WebError` if it is no picture, has the name of another one, or cannot be stored.
    func put() throws -> Outcome {
        let (head, count, hash) = state.withLock { state in
            (state.head, state.count, state.hash.take()?.finish())
        }
        guard count > 0, let hash else {
            throw WebError(
                status: 400, message: "there is nothing in it", remedy: "save it again")
        }
        guard case .picture = ImageFormat.sniff(SourceBytes(head)) else {
            throw WebError(
                status: 415, message: "it is not a readable picture",
                remedy: "save it as \(ImageFormat.namesOfAll)")
        }
        let twins = try operations.stickers(showing: hash)
        let present = SourceReader.read(key, expected: nil, bytesMax: bytesMax)
        if case .read(_, hash, _) = present {
            try publishHeld()
            return Outcome(state: .there, twins: [])
        }
        var isThere = true
        var back: FileMove?
        switch present {
        case .vanished: isThere = false
        case .read(_, let hash, _) where replaced == hash.rawValue: break
        case .read(_, let hash, _): throw Self.exists(hash.rawValue)
        default: throw Self.exists("")
        }
        if let editor { try operations.approve(hash, at: key, by: editor.name) }
        do throws(FileError) {
            try file.takeSharedRights()
            try file.sync()
            if isThere {
                back = try keepReplaced()
                try file.putInPlace()
                back?.version =
                    (try? FileStatus(link: "\(folder.path)/\(FileName.display(key.name))"))?.version
            } else {
                try file.putInFreePlace()
            }
            try SystemCall.syncFolder(folder.path)
        } catch {
            if error.errno == EEXIST { throw Self.exists("") }
            throw Self.refusal(error, key)
        }
        if FileKind.of(key) == .cover { return Outcome(state: .cover, twins: [], back: back) }
        return Outcome(state: isThere ? .replaced : .added, twins: twins, back: back)
    }

    /// An editor who drops what waits for review has seen it.
    private func publishHeld() throws {
        guard let editor else { return }
        var filter = JobFilter()
        filter.file = "\(key.drop)/\(FileName.display(key.relativePath))"
        filter.needingAttention = true
        _ = try operations.publish(filter, by: editor.name)
    }

    /// Keeps the picture whose place is taken, among the removed ones.
    ///
    /// - Returns: the way back.
    private func keepReplaced() throws(FileError) -> FileMove {
        var back: FileMove
        let removal = RemovedFiles.removal(of: key)
        do throws(FileError) {
            try removal.keep()
            back = FileMove(from: removal.to, to: key)
        } catch {
            // The kernel may allow nobody but the owner to give a file a second name.
            guard let copy = try? FileMove.copying(key, to: key, bytesMax: bytesMax) else {
                throw error
            }
            back = copy
        }
        back.exchanges = true
        return back
    }

    /// Another file has the name; with its hash, it may be replaced.
    private static func exists(_ hash: String) -> WebError {
        WebError(
            status: 409, message: "another picture has this name",
            remedy: "replace that one, or rename the file", details: [("sha256", hash)])
    }

    /// Removes what a console that was killed left in drops. What another one receives now is younger than an hour.
    static func sweep(_ drops: [String]) {
        for drop in drops {
            let names = (try? FileManager.default.contentsOfDirectory(atPath: drop)) ?? []
            for name in [""] + names {
                guard let folder = try? FixedFolder(Array(name.utf8), below: drop) else { continue }
                PendingFile.removeLeftovers(in: folder, olderThan: 3600)
            }
        }
    }

    private static func refusal(_ error: FileError, _ key: SourceKey) -> WebError {
        let text = SystemCall.message(error.errno)
        return switch error.kind {
        case .noSpace:
            WebError(
                status: 507, message: "there is no room for it: \(text)",
                remedy: "ask the operator to make room")
        case .readOnly:
            WebError(
                status: 403, message: "the console may not write to the folder: \(text)",
                remedy: "let the user of the console write there, see stickerd-console(8)")
        case .descriptors, .io, .vanished, .other:
            WebError(status: 503, message: "it cannot be kept: \(text)", remedy: "try again")
        }
    }
}
