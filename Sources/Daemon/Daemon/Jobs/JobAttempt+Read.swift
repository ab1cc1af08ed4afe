import Glibc
import StickerConfiguration
import StickerContainers
import StickerStore
import StickerValues
import StickerWatch

extension JobAttempt {
    enum ReadResult {
        case read(SourceBytes, ContentHash)
        case stopped(JobOutcome)
    }

    /// Reads the file, unless it is bad, gone or incomplete.
    func read() -> ReadResult {
        let start = steps.now
        let limit = sideFile?.bytesMax ?? configuration.limits.sourceBytesMax
        let result = SourceReader.read(job.source, expected: job.version, bytesMax: limit)
        steps.note("read", since: start, result.shown)
        return switch result {
        case .read(let source, let content, _):
            waitForRest(of: source, content).map { .stopped($0) } ?? .read(source, content)
        case .changed(let version):
            .stopped(.changed(version))
        case .writerActive:
            .stopped(stillArriving(result.shown) ?? .failed(result.shown))
        case .vanished:
            .stopped(vanished())
        case .notRegular:
            .stopped(.refused(.notRegularFile, content: nil))
        case .tooLarge(let bytes):
            .stopped(
                .refused(
                    sideFile == nil ? .tooManyBytes(bytes, limit) : .tooManyWords(bytes, limit),
                    content: nil))
        case .unreadable(let error):
            .stopped(.refused(.unreadable(error), content: nil))
        case .away:
            .stopped(away(result.shown))
        case .environment:
            .stopped(.released("reading failed: \(result.shown)"))
        case .transient:
            .stopped(.unread("reading failed: \(result.shown)"))
        }
    }

    /// A file counts as gone only if its drop is still the same folder; if the share is away, or hidden by another
    /// mount, nothing is known.
    private func vanished() -> JobOutcome {
        guard tools.look(job.source) != .gone else { return .cancelled(.vanished) }
        return away("another file is there")
    }

    /// A daemon waits indefinitely, a drain no longer than for other trouble.
    private func away(_ why: String) -> JobOutcome {
        let trouble = "its folder is away: \(why)"
        return tools.isDraining ? .unread(trouble) : .arriving(delay: Self.awayPause, why: trouble)
    }

    /// Waits for a while for the rest of a file without the end that its format requires.
    private func waitForRest(of source: SourceBytes, _ content: ContentHash) -> JobOutcome? {
        guard source.count > 0 else {
            return stillArriving("it is empty") ?? .refused(.emptyFile, content: content)
        }
        // The last valid content of a side file remains in force, so nothing waits for it.
        guard sideFile == nil else { return nil }
        return switch Container.completeness(of: source) {
        case .whole, .unrecognised: nil
        case .followed:
            patience.pause(untilQuietAfter: job.ageMilliseconds).map {
                .arriving(delay: $0, why: "bytes follow its end, which may be replaced")
            }
        case .unfinished: isDamageAccepted(content) ? nil : stillArriving("its end is missing")
        }
    }

    private func isDamageAccepted(_ content: ContentHash) -> Bool {
        // If the database cannot be read, the file waits like any other.
        (try? tools.store.queue.concessions(of: job, content))?.damaged != nil
    }

    private func stillArriving(_ why: String) -> JobOutcome? {
        patience.pause(afterMilliseconds: job.ageMilliseconds).map {
            .arriving(delay: $0, why: why)
        }
    }

    private var patience: ArrivalPatience {
        tools.isDraining ? .drain : ArrivalPatience(configuration.watch)
    }
}

extension SourceReading {
    /// For the job log.
    fileprivate var shown: String {
        switch self {
        case .read(let source, let content, _):
            "\(source.count.grouped) B, sha256 \(content.rawValue.prefix(12))…"
        case .changed: "it was written to meanwhile"
        case .writerActive: "a writer has it open"
        case .notRegular: "not a regular file"
        case .vanished: "it is gone"
        case .tooLarge(let bytes): "\(Int(bytes).grouped) B"
        case .unreadable(let error), .away(let error), .environment(let error),
            .transient(let error):
            String(cString: strerror(error))
        }
    }
}
