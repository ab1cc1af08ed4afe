import FoundationEssentials
import Glibc
package import StickerSystem
package import StickerValues

/// A side file with words as JSON, as programs change it: members keep their order and their lines, a change is written
/// whole or not at all, and of two programs that change it one waits for the other.
package struct WordsFile: Hashable, Sendable {
    /// A side file before and after a change.
    package struct Change: Hashable, Sendable {
        /// The file.
        package var file: WordsFile
        /// Its content before; where there was no file, one that says the words kept until then.
        package var before: [UInt8]
        /// Its content since.
        package var after: [UInt8]

        /// The members that differ.
        package var keys: [String] {
            let (old, new) = (Self.members(before), Self.members(after))
            return Set(old.keys).union(new.keys).filter { old[$0] != new[$0] }.sorted()
        }

        private static func members(_ bytes: [UInt8]) -> [String: JSONValue] {
            guard case .object(let members)? = try? JSONParser.parse(bytes) else { return [:] }
            return Dictionary(members.map { ($0.key, $0.value) }) { _, last in last }
        }
    }

    private static let empty = Array("{}\n".utf8)

    /// Its place.
    package let key: SourceKey
    /// A picture's own, or that of a category.
    package let kind: SideFile

    /// The side file of this name; `nil` if there can be none, because the name is no text, or too long for Linux.
    package init?(_ key: SourceKey) {
        guard FileName.isText(key.relativePath), key.name.count <= Int(NAME_MAX),
            let kind = SideFile(key)
        else { return nil }
        (self.key, self.kind) = (key, kind)
    }

    /// The whole path.
    package var path: String { "\(key.drop)/\(FileName.display(key.relativePath))" }

    /// The path below the drop, for people.
    package var shownName: String { key.display }

    /// Its members as they are written; `nil` if there is no file.
    ///
    /// - Throws: `WordsFileError` if it cannot be read, or has faults.
    package func members() throws(WordsFileError) -> JSONObject? {
        try bytes().map { bytes throws(WordsFileError) in try members(of: bytes) }
    }

    /// Changes members.
    ///
    /// - Parameters:
    ///   - kept: the content of a new file.
    ///   - change: receives the present members, and returns those to set, and with `nil` those to remove.
    /// - Returns: the file before and after; `nil` if `change` returns none.
    /// - Throws: `WordsFileError`, also that of `change`; nothing was written.
    package func change(
        startingWith kept: StickerWords? = nil,
        _ change: (JSONObject) throws(WordsFileError) -> [(key: String, value: JSONValue?)]
    ) throws(WordsFileError) -> Change? {
        try locked { folder throws(WordsFileError) in
            let present = try bytes()
            var text = try text(of: present ?? Self.empty)
            if present == nil {
                for member in kept?.members ?? [:] { text.set(member.key, to: member.value) }
            }
            let before = text.bytes
            let changes = try change(try members(of: text.bytes))
            guard !changes.isEmpty else { return nil }
            for (key, value) in changes {
                if let value { text.set(key, to: value) } else { text.remove(key) }
            }
            guard text.bytes.count <= kind.bytesMax else { throw .tooLarge }
            do throws(SideFileError) {
                _ = try kind.words(in: text.bytes)
            } catch {
                throw .wrong(error)
            }
            try write(text.bytes, in: folder)
            return Change(file: self, before: before, after: text.bytes)
        }
    }

    /// Undoes a change.
    ///
    /// - Returns: the change that this is.
    /// - Throws: `WordsFileError`, `changed` if the file was changed since; nothing was written.
    package func undo(_ change: Change) throws(WordsFileError) -> Change {
        try locked { folder throws(WordsFileError) in
            guard try bytes() == change.after else { throw .changed }
            // Also where there was no file: words of one that is removed count until its grace ends.
            try write(change.before, in: folder)
            return Change(file: self, before: change.after, after: change.before)
        }
    }

    // MARK: Contents

    /// `nil` if there is no file; in UTF-8.
    private func bytes() throws(WordsFileError) -> [UInt8]? {
        switch SourceReader.read(key, expected: nil, bytesMax: kind.bytesMax) {
        case .vanished: nil
        case .read(let source, _, _): SideFile.asUTF8(source.withUnsafeBytes { Array($0) })
        case .tooLarge, .notRegular, .changed, .writerActive, .unreadable, .away, .environment,
            .transient:
            throw .unreadable
        }
    }

    private func text(of bytes: [UInt8]) throws(WordsFileError) -> JSONText {
        do throws(SideFileError) {
            _ = try kind.words(in: bytes)
        } catch {
            throw .faulty(error)
        }
        guard let text = try? JSONText(bytes) else { throw .unreadable }
        return text
    }

    private func members(of bytes: [UInt8]) throws(WordsFileError) -> JSONObject {
        _ = try text(of: bytes)
        guard case .object(let members)? = try? JSONParser.parse(bytes) else { throw .unreadable }
        return members
    }

    // MARK: Writing

    /// Carries out `body` with the folder, alone.
    private func locked<Result>(
        _ body: (_ folder: String) throws(WordsFileError) -> Result
    ) throws(WordsFileError) -> Result {
        let folder: FixedFolder
        do throws(FileError) {
            folder = try FixedFolder(key.directory, below: key.drop)
        } catch {
            throw .unwritable(error)
        }
        let lock: FolderLock?
        do throws(FileError) {
            lock = try FolderLock(folder.path, patience: .seconds(5))
        } catch {
            // Shares that know no locks are written without.
            guard error.errno != EWOULDBLOCK else { throw .unreadable }
            lock = nil
        }
        defer { withExtendedLifetime((folder, lock)) {} }
        return try body(folder.path)
    }

    private func write(_ bytes: [UInt8], in folder: String) throws(WordsFileError) {
        try inPlace(folder) { path throws(FileError) in
            try AtomicFile.replaceShared(path, with: bytes)
        }
    }

    private func inPlace(
        _ folder: String, _ body: (_ path: String) throws(FileError) -> Void
    ) throws(WordsFileError) {
        do throws(FileError) {
            try body("\(folder)/\(FileName.display(key.name))")
        } catch {
            throw .unwritable(FileError(call: error.call, path: path, errno: error.errno))
        }
    }
}

/// Why a side file was not changed.
package enum WordsFileError: Error, Hashable, Sendable {
    /// It cannot be read now.
    case unreadable
    /// It has faults already.
    case faulty(SideFileError)
    /// It would have faults.
    case wrong(SideFileError)
    /// It would be too large.
    case tooLarge
    /// It says nothing about this key, which was to be removed.
    case absent(String)
    /// It was changed since.
    case changed
    /// These members were changed since, in another way.
    case contested([String])
    /// It cannot be written.
    case unwritable(FileError)
}

extension StickerWords {
    /// The words as members of a side file.
    package var members: JSONObject {
        var words = self
        (words.place, words.listedAs) = (nil, nil)
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        guard let data = try? encoder.encode(words),
            case .object(let members)? = try? JSONParser.parse([UInt8](data))
        else { return [:] }
        return members
    }
}
