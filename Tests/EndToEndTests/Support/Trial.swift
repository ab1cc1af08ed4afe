import Foundation
import GRDB
import Glibc
import StickerTestSupport
import StickerValues

/// A library in the middle of its life, and the changes that its next drain meets: new files, one
/// that is written over, one that is deleted, a bad one that was mended and one that is bad.
///
/// Every run takes up the same changes from a copy of the same library, so all must end alike.
final class Trial: Sendable {
    /// The result that must be the same however often a run was disturbed.
    struct Result: Hashable, Sendable {
        /// Category, id and title of every sticker with its source and its files.
        var stickers: [String] = []
        /// File, state and reason of every job.
        var jobs: [String] = []

        /// Entries that only one of both has.
        func differences(from other: Result) -> [String] {
            let (own, others) = (stickers + jobs, other.stickers + other.jobs)
            return own.difference(from: others).map { change in
                switch change {
                case .insert(_, let element, _): "unexpected: \(element)"
                case .remove(_, let element, _): "missing: \(element)"
                }
            }
        }
    }

    /// The exit code of an undisturbed drain: one file stands refused.
    static let exitCode: Int32 = 3

    private static let settings: Workshop.Settings = {
        var settings = Workshop.Settings()
        settings.publish["deleteGraceSeconds"] = 0
        return settings
    }()

    private let origin: Workshop

    /// Makes the library, unless `isFirstStart` says that there is none yet, and then the changes.
    init(isFirstStart: Bool = false) async throws {
        // Whether a disk is behind the files makes no difference when only the process dies.
        let memory = "/dev/shm"
        origin = try Workshop(Self.settings, below: access(memory, W_OK) == 0 ? memory : nil)
        for name in ["out", "state"] { try origin.folder.makeFolder(name) }
        for (number, name) in ["cats/tom", "cats/kit", "cats/old", "dogs/rex"].enumerated() {
            try origin.put(try Art.png(number), "\(name).png")
        }
        try origin.put(Array("no picture".utf8), "dogs/mended.png")
        if !isFirstStart {
            let drain = try await origin.drain()
            guard drain.exitCode == Self.exitCode else {
                throw CallFailed(description: "the first drain: \(drain)")
            }
        }
        try change()
    }

    private func change() throws {
        try origin.replace("cats/tom.png", with: try Art.png(10))
        try origin.remove("cats/old.png")
        try origin.replace("dogs/mended.png", with: try Art.png(11))
        try origin.put(try Art.png(12), "cats/mia.png")
        try origin.put(try Art.png(12), "dogs/twin of mia.png")
        try origin.put(try Art.png(13), "dogs/tom.png")
        try origin.put(try Art.png(14), "birds/owl.png")
        try origin.put(Array("no picture either".utf8), "birds/text.png")
    }

    /// A copy to run in; `name` is its own among all runs.
    func stage(_ name: String) throws -> Workshop {
        try Workshop(copyOf: origin, Self.settings, stage: name)
    }

    /// The calls of a program that change the files of one stage, or with `isReading` also those that
    /// read them and the drop.
    func faults(_ stage: Workshop, isReading: Bool = false) -> Faults {
        Faults(
            root: isReading ? stage.folder.path : stage.place, trace: "\(stage.place)/trace",
            isReading: isReading)
    }

    // MARK: Judging

    /// The result of a finished run.
    func result(_ stage: Workshop) async throws -> Result {
        let library = try Library(below: stage.out)
        var result = Result()
        for (category, pages) in library.categories {
            for sticker in pages.flatMap(\.stickers) {
                let files = sticker.files.map { "\($0.role) \($0.sha256)" }
                result.stickers.append(
                    "\(category) \(sticker.identifier) \(sticker.title) \(sticker.source) \(files)")
            }
        }
        result.stickers.sort()
        result.jobs = try await stage.jobs().map {
            "\($0.file) \($0.state) \($0.reason ?? "") \($0.sticker ?? "")"
        }.sorted()
        return result
    }

    /// Whatever an app would stumble over now, with no daemon running.
    func complaints(of stage: Workshop) -> [String] {
        do {
            let library = try Library(everyManifestBelow: stage.out)
            return try library.complaints() + Library(below: stage.out).complaints()
        } catch {
            return ["\(error)"]
        }
    }

    /// Stray or damaged files after the last run.
    func leftovers(of stage: Workshop) throws -> [String] {
        var leftovers = Library.litter(below: stage.out)
        let state = try FileManager.default.contentsOfDirectory(atPath: stage.state)
        leftovers += state.filter {
            !$0.hasPrefix("stickerd.sqlite") && !["lock", "running"].contains($0)
        }
        let database = try DatabaseQueue(path: "\(stage.state)/stickerd.sqlite")
        let verdict = try database.read { try String.fetchAll($0, sql: "PRAGMA integrity_check") }
        return leftovers + verdict.filter { $0 != "ok" }
    }
}
