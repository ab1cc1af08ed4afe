import ArgumentParser
import Glibc
import StickerConfiguration
import StickerPackFiles
import StickerReports
import StickerStore
import StickerSystem
import StickerValues

/// The part of a report about the library: read at once, as its owner, and closed again.
struct ReportLibrary {
    private static let attentionMax = 10
    private static let listedMax = 40

    /// The output of `stickerctl status`.
    var status: Result<[String], any Error>
    /// The requested job, or those that need attention.
    var jobs: Result<[String], any Error>
    /// The daemon's settings that differ from the file.
    var difference: Result<[String], any Error>
    /// The picture of the job; `nil` if not requested.
    var picture: Result<ArchiveItem, any Error>?
    /// The daemon's last figures.
    var live: LiveFigures?
    /// The process number of a running daemon.
    var daemon: Int32?
}

extension ReportSubject {
    /// Reads the library.
    ///
    /// - Parameters:
    ///   - job: the operator's name for it; `nil` for all that need attention.
    ///   - withPicture: whether to include the picture of the job.
    /// - Returns: the parts, or why they are missing.
    /// - Throws: exit code 1, after a complaint, if the job is unknown.
    func library(job: String?, withPicture: Bool) throws -> ReportLibrary {
        do {
            let (file, faults) = try file()
            return try StateFolder.asOwner(of: file.configuration.state) {
                try Self.read(file, faults, job, withPicture)
            }
        } catch let code as ExitCode {
            throw code
        } catch {
            return ReportLibrary(lackingFor: error, withPicture)
        }
    }

    private static func read(
        _ file: ConfigurationFile, _ faults: [JSONFault], _ job: String?, _ withPicture: Bool
    ) throws -> ReportLibrary {
        let state = file.configuration.state
        let daemon = StateLock.holder(state: state)
        do {
            let store = try LibraryStore(
                path: "\(state)/\(LibraryStore.fileName)", access: .reader,
                policy: StorePolicy(file.configuration))
            let library = try ReportLibrary(store, file, faults, job, withPicture, daemon)
            try store.close()
            return library
        } catch let code as ExitCode {
            throw code
        } catch {
            return ReportLibrary(lackingFor: error, withPicture, daemon)
        }
    }
}

extension ReportLibrary {
    /// The library cannot be read.
    fileprivate init(lackingFor error: any Error, _ withPicture: Bool, _ daemon: Int32? = nil) {
        (status, jobs, difference) = (.failure(error), .failure(error), .failure(error))
        picture = withPicture ? .failure(error) : nil
        self.daemon = daemon
    }

    fileprivate init(
        _ store: LibraryStore, _ file: ConfigurationFile, _ faults: [JSONFault], _ job: String?,
        _ withPicture: Bool, _ daemon: Int32?
    ) throws {
        let chosen = try job.map { try Self.known($0, store) }
        status = Result { try StatusReport(file, faults, store).lines }
        jobs = Result {
            try chosen.map { try Self.story(of: $0, store.operations) }
                ?? Self.attention(in: store.operations)
        }
        difference = Result { try Self.difference(file.configuration, store.operations) }
        if withPicture, let chosen {
            picture = Result {
                try Self.picture(
                    of: chosen, store.operations, file.configuration.limits.sourceBytesMax)
            }
        }
        // The status shows the same, or why it is missing.
        live = try? store.operations.liveFigures()
        self.daemon = daemon
    }

    private static func known(_ name: String, _ store: LibraryStore) throws -> JobDetails {
        if let id = try store.chosenJob(name), let details = try store.operations.job(id) {
            return details
        }
        complain("there is no job \(FileName.escaped(name)); see: \(stickerctl: "jobs")")
        throw ExitCode(1)
    }

    /// The job with its steps, the explanation of its sticker, and the files beside it.
    private static func story(
        of details: JobDetails, _ operations: Operations
    ) throws -> [String] {
        var lines = details.lines
        let name = details.job.sticker?.rawValue ?? details.job.file
        if let story = try operations.story(of: name) {
            lines += ["", "The sticker:"] + Explanation(story).lines
        }
        return lines
    }

    private static func attention(in operations: Operations) throws -> [String] {
        var filter = JobFilter()
        filter.needingAttention = true
        let urgent = try operations.jobs(filter, limit: attentionMax)
        let all = try operations.count(filter).attention.values.reduce(0, +)
        var lines = ["\(urgent.count) of \(all.grouped) that need attention, newest first:", ""]
        for job in urgent {
            if let details = try operations.job(job.id) { lines += details.lines + [""] }
        }
        return lines + ["The last jobs:"]
            + (try operations.jobs(limit: listedMax).map(\.line))
    }

    private static func difference(
        _ configuration: Configuration, _ operations: Operations
    ) throws -> [String] {
        guard let record = try operations.configurationRecord() else {
            return ["no daemon has put one in force"]
        }
        let changes = Configuration.changes(from: record.settings, to: configuration.settings)
        return [
            "\(record.path ?? "built-in defaults"), in force since \(record.loadedAt.asDate); "
                + changes.count.counted("key of the file differs", "keys of the file differ")
        ] + changes.map { "  \($0.key): \($0.old) in force, \($0.new) in the file" }
    }

    /// The current picture, found as by the daemon: never through a link.
    private static func picture(
        of details: JobDetails, _ operations: Operations, _ bytesMax: Int
    ) throws -> ArchiveItem {
        guard let key = try operations.file(of: details.job.id) else {
            throw ReportGap("the database knows no file of job \(details.job.id)")
        }
        guard
            case .read(let source, _, _) = SourceReader.read(
                key, expected: nil, bytesMax: max(bytesMax, Int(clamping: details.job.bytes)))
        else { throw ReportGap("\(key.display) cannot be read as it is now, or is gone") }
        let suffix = FileName.fileExtension(key.name).filter {
            $0.isASCII && ($0.isLetter || $0.isNumber)
        }
        return ArchiveItem(
            suffix.isEmpty ? "picture" : "picture.\(suffix.prefix(16))",
            .bytes(source.withUnsafeBytes { Array($0) }))
    }
}
