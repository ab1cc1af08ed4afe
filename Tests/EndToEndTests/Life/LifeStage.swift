import Foundation
import Glibc
import StickerTestSupport
import StickerValues

/// The folders and programs on which a sequence of operations is carried out.
final class LifeStage {
    /// How long a file may be away, in seconds: longer than the daemon takes to see both halves of a change of format.
    private static let grace = 2.0

    /// A few stickers fill a page.
    private static let settings: Workshop.Settings = {
        var settings = Workshop.Settings(drops: drops)
        settings.watch["settleSeconds"] = 0.1
        settings.publish["deleteGraceSeconds"] = .number(grace)
        settings.publish["pageEntriesMax"] = 10
        return settings
    }()

    /// The drops at first.
    static let drops = ["drop", "more"]

    let workshop: Workshop
    private var daemon: Program?
    /// The number of encodes of programs that ended.
    private var encodesBefore = 0

    init() throws {
        // Whether a disk is behind the files makes no difference when only the process dies.
        let memory = "/dev/shm"
        workshop = try Workshop(Self.settings, below: access(memory, W_OK) == 0 ? memory : nil)
        for drop in Self.drops { try workshop.folder.makeFolder(drop) }
    }

    private func path(_ relative: String) -> String { workshop.folder.path(relative) }

    // MARK: Files

    /// Does what an operation on files says.
    func carryOut(_ operation: Operation) throws {
        switch operation {
        case .write(let picture, let path):
            try workshop.folder.write(Art.numbered(picture), to: path)
        case .replace(let picture, let path): try replace(path, with: Art.numbered(picture))
        case .reformat(let picture, let path, let other, let newFirst):
            if newFirst { try workshop.folder.write(Art.numbered(picture), to: other) }
            try check(unlink(self.path(path)), "unlink \(path)")
            if !newFirst { try workshop.folder.write(Art.numbered(picture), to: other) }
        case .touch(let path): try check(utimes(self.path(path), nil), "touch \(path)")
        case .rename(let path, let other), .renameFolder(let path, let other),
            .moveDrop(let path, let other):
            try move(path, to: other)
        case .exchange(let path, let other): try exchange(path, other)
        case .swap(let path, let other):
            try move(path, to: "elsewhere/third")
            try move(other, to: path)
            try move("elsewhere/third", to: other)
        case .delete(let path): try check(unlink(self.path(path)), "unlink \(path)")
        case .say(let words, let path): try say(words, in: path.wordsFile)
        case .unsay(let path): try check(unlink(self.path(path.wordsFile)), "unlink words")
        case .entitle(let folder, let title):
            try replace("\(folder)/title.txt", with: Array(title.utf8))
        case .describe(let folder, let file): try say(file, in: "\(folder)/category.json")
        case .deleteFolder(let folder):
            try FileManager.default.removeItem(atPath: path(folder))
        case .start, .stop, .kill, .rebuild, .settle: break
        }
    }

    private func replace(_ path: String, with bytes: [UInt8]) throws {
        try workshop.folder.write(bytes, to: "elsewhere/made")
        try move("elsewhere/made", to: path)
    }

    private func move(_ path: String, to other: String) throws {
        if other.components > 1 { try workshop.folder.makeFolder(other.parent) }
        try check(Glibc.rename(self.path(path), self.path(other)), "rename \(path) \(other)")
    }

    /// renameat2(2), which Glibc's module does not show.
    private typealias Exchange =
        @convention(c) (Int32, UnsafePointer<CChar>, Int32, UnsafePointer<CChar>, UInt32) -> Int32
    /// RENAME_EXCHANGE as <linux/fs.h> has it.
    private static let exchangeFlag: UInt32 = 2

    private func exchange(_ path: String, _ other: String) throws {
        guard let symbol = dlsym(nil, "renameat2") else {
            throw CallFailed(description: "there is no renameat2")
        }
        let exchange = unsafeBitCast(symbol, to: Exchange.self)
        let result = exchange(
            AT_FDCWD, self.path(path), AT_FDCWD, self.path(other), Self.exchangeFlag)
        try check(result, "exchange \(path) \(other)")
    }

    private func say(_ words: some Encodable, in file: String) throws {
        try workshop.folder.write(Array(JSONEncoder().encode(words)), to: file)
    }

    // MARK: Programs

    /// Writes the drops into the configuration, for the next start.
    func configure(drops: [String]) throws {
        var settings = Self.settings
        settings.drops = drops
        try workshop.configure(settings)
    }

    func start() async throws { daemon = try await workshop.start(logLevel: "debug") }

    /// Ends the daemon by a signal.
    func end(by signal: Int32) async throws {
        guard let daemon else { return }
        daemon.send(signal)
        let ending = try await daemon.ending()
        encodesBefore += Self.encodes(ending.errors)
        self.daemon = nil
        guard signal == SIGKILL || ending.exitCode == 0 else {
            throw CallFailed(description: "the daemon ended so: \(ending)")
        }
    }

    /// Lets everything be done by runs that end: what the first one misses has a grace.
    func drain() async throws {
        try await drainOnce()
        try await Task.sleep(for: .seconds(Self.grace))
        try await drainOnce()
    }

    private func drainOnce() async throws {
        let ending = try await workshop.drain(logLevel: "debug")
        encodesBefore += Self.encodes(ending.errors)
        guard ending.exitCode == 0 else {
            throw CallFailed(description: "the drain ended so: \(ending)")
        }
    }

    func rebuild() async throws {
        try FileManager.default.removeItem(atPath: workshop.state)
        let ending = try await workshop.stickerctl("rebuild")
        guard ending.exitCode == 0 else {
            throw CallFailed(description: "the rebuild ended so: \(ending)")
        }
    }

    /// How many pictures were encoded so far.
    var encodes: Int { encodesBefore + Self.encodes(daemon?.errors ?? "") }

    /// Every picture that is encoded has one step that fits it into its bytes.
    private static func encodes(_ log: String) -> Int {
        log.split(separator: "\n").count {
            $0.contains(" debug step ") && $0.contains(" step=fit ")
        }
    }

    /// The last lines that the daemon wrote, or nothing if it does not run.
    var lastWords: String { daemon.map { String($0.errors.suffix(1500)) } ?? "" }

    // MARK: Reading

    /// A reader's findings.
    func published() throws -> PublishedLife {
        let library = try Library(below: workshop.out)
        let index = "\(workshop.out)/index.json"
        guard let data = FileManager.default.contents(atPath: index) else {
            return PublishedLife(library: library, titles: [:], removed: [])
        }
        let categories = try JSONDecoder().decode(LibraryIndex.self, from: data).categories
        return PublishedLife(
            library: library,
            titles: Dictionary(
                uniqueKeysWithValues: categories.map { ($0.identifier.rawValue, $0.title) }),
            removed: Set(try removed(RemovedStickers.fileName)))
    }

    /// The removed stickers that no other one continues.
    private func removed(_ page: String) throws -> [String] {
        guard let data = FileManager.default.contents(atPath: "\(workshop.out)/\(page)") else {
            return []
        }
        let list = try JSONDecoder().decode(RemovedStickers.self, from: data)
        let gone = list.removed.filter { $0.successor == nil }
        return gone.map(\.identifier.rawValue) + (try list.nextURL.map(removed) ?? [])
    }
}
