import ArgumentParser
import Glibc
import StickerModel
import StickerPackFiles
import StickerReports
import StickerStore
import StickerSystem

/// The part of a report about the library: read at once, as its owner, and closed again.
struct ReportLibrary {
    private static let attentionMax = 10
    private static let listedMax = 40

    /// As `stickerctl status` prints it.
    var status: Result<[String], any Error>
    /// The job that was asked for, or those that need attention.
    var jobs: Result<[String], any Error>
    /// What the daemon runs with, where that is not what the file says.
    var difference: Result<[String], any Error>
    /// The picture of the job; `nil` if it is not wanted.
    var picture: Result<ArchiveItem, any Error>?
    /// What the daemon told of itself last.
    var live: LiveFigures?
    /// The process number of the daemon, if one runs.
    var daemon: Int32?
}

extension ReportSubject {
    /// Reads the library.
    ///
    /// - Parameters:
    ///   - job: what an operator named; `nil` for all that needs attention.
    ///   - withPicture: whether the picture of the job is wanted.
    /// - Returns: what can be had; what cannot says why.
    /// - Throws: exit code 1, after a complaint, if the database does not know the job.
    func library(job: String?, withPicture: Bool) throws -> ReportLibrary {
        do {
            let (file, faults) = try file()
            return try StateFolder.asOwner(of: file.configuration.state) {
                try Self.read(file, faults, job, withPicture)
            }
        } catch let code as ExitCode {
            throw code
        } catch {
            return ReportLibrary(
                status: .failure(error), jobs: .failure(error), difference: .failure(error),
                picture: withPicture ? .failure(error) : nil)
        }
    }

    private static func read(
        _ file: ConfigurationFile, _ faults: [JSONFault], _ job: String?, _ withPicture: Bool
    ) throws -> ReportLibrary {
        let state = file.configuration.state
        let daemon = StateLock.holder(state: state)
        do {
            let store = try JobStore(
                path: "\(state)/\(JobStore.fileName)", access: .reader,
                policy: StorePolicy(file.configuration))
            let library = try ReportLibrary(store, file, faults, job, withPicture, daemon)
            try store.close()
            return library
        } catch let code as ExitCode {
            throw code
        } catch {
            return ReportLibrary(
                status: .failure(error), jobs: .failure(error), difference: .failure(error),
                picture: withPicture ? .failure(error) : nil, daemon: daemon)
        }
    }
}

extension ReportLibrary {
    fileprivate init(
        _ store: JobStore, _ file: ConfigurationFile, _ faults: [JSONFault], _ job: String?,
        _ withPicture: Bool, _ daemon: Int32?
    ) throws {
        let chosen = try job.map { try Self.known($0, store) }
        status = Result { try StatusReport(file, faults, store).lines }
        jobs = Result {
            try chosen.map { try Self.story(of: $0, store) } ?? Self.attention(in: store)
        }
        difference = Result { try Self.difference(file.configuration, store) }
        if withPicture, let chosen {
            picture = Result {
                try Self.picture(of: chosen, store, file.configuration.limits.sourceBytesMax)
            }
        }
        // The status says the same, or why there is none.
        live = try? store.liveFigures()
        self.daemon = daemon
    }

    private static func known(_ name: String, _ store: JobStore) throws -> JobDetails {
        if let id = try store.chosenJob(name), let details = try store.job(id) { return details }
        complain("there is no job \(FileName.escaped(name)); see: \(stickerctl: "jobs")")
        throw ExitCode(1)
    }

    /// The job with its steps, the explanation of its sticker, and what is beside it.
    private static func story(of details: JobDetails, _ store: JobStore) throws -> [String] {
        var lines = details.lines
        let name = details.job.sticker?.rawValue ?? details.job.file
        if let story = try store.story(of: name) {
            lines += ["", "The sticker:"] + Explanation(story).lines
        }
        return lines
    }

    private static func attention(in store: JobStore) throws -> [String] {
        var filter = JobFilter()
        filter.needingAttention = true
        let urgent = try store.jobs(filter, limit: attentionMax)
        let all = try store.count(filter).attention.values.reduce(0, +)
        var lines = ["\(urgent.count) of \(all.grouped) that need attention, newest first:", ""]
        for job in urgent {
            if let details = try store.job(job.id) { lines += details.lines + [""] }
        }
        return lines + ["The last jobs:"] + (try store.jobs(limit: listedMax).map(\.line))
    }

    private static func difference(
        _ configuration: Configuration, _ store: JobStore
    ) throws -> [String] {
        guard let record = try store.configurationRecord() else {
            return ["no daemon has put one in force"]
        }
        let changes = Configuration.changes(from: record.settings, to: configuration.settings)
        return [
            "\(record.path ?? "built-in defaults"), in force since \(record.loadedAt.asDate); "
                + changes.count.counted("key of the file differs", "keys of the file differ")
        ] + changes.map { "  \($0.key): \($0.old) in force, \($0.new) in the file" }
    }

    /// The picture as it is now, which is looked for as the daemon does: never through a link.
    private static func picture(
        of details: JobDetails, _ store: JobStore, _ bytesMax: Int
    ) throws -> ArchiveItem {
        guard let key = try store.file(of: details.job.id) else {
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
