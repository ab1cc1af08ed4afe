import FoundationEssentials
import StickerConfiguration
public import StickerStore
public import StickerValues

extension JobRecord {
    /// Whether another attempt could help. Bytes that break a rule always do; a later file of that name gets a job of
    /// its own, and so does this one when the rule changes.
    public var mayEndOtherwise: Bool { refusal?.reason.isFinal != true }

    /// Whether it is of a smart sticker that waits for fonts: nothing else is refused for its characters.
    public var isDrawnAgain: Bool { refusal?.reason == .unknownCharacters }

    /// How it gets another useful attempt: a command, or by itself; `nil` if none helps.
    public var again: String? {
        guard !isDrawnAgain else { return "by itself once the fonts or its values change" }
        return mayEndOtherwise ? "\(stickerctl: "retry \(id)")" : nil
    }
}

extension JobState {
    /// The display text.
    public var shown: String {
        switch self {
        case .available: "waiting"
        case .scheduled: "waiting (settling)"
        case .executing: "working"
        case .retryable: "will retry"
        case .completed: "done"
        case .cancelled: "cancelled"
        case .discarded: "refused"
        }
    }
}

extension DeletionHold {
    /// `180 of 200 files vanished at once`.
    public var event: String {
        isEmptied
            ? "the drop is empty, \(missing.grouped) of its \(stickers.grouped) files vanished"
            : "\(missing.grouped) of \(stickers.grouped) files vanished at once"
    }

    /// The command with which an operator confirms it.
    public var confirmation: String {
        "\(stickerctl: "confirm-delete \(FileName.escaped(name).asShellWord)")"
    }
}

extension Timestamp {
    /// The present, by the clock of the machine.
    public static var now: Timestamp {
        Timestamp(milliseconds: Int64(Date().timeIntervalSince1970 * 1000))
    }

    /// How long ago that was.
    public var ago: String {
        Int(Swift.max(0, Timestamp.now.milliseconds - milliseconds) / 1000).asTime
    }
}

extension JobRecord {
    /// Whether its format, by its name, can be read in part.
    fileprivate var isReadInPart: Bool {
        let name = FileName.fileExtension(Array(file.utf8))
        return [ImageFormat.png, .jpeg, .gif].contains { $0.fileExtensions.contains(name) }
    }
}

extension JobDetails {
    /// The command with which an operator grants the lacking concession; `nil` if there is none, or it would not help.
    public var grantCommand: String? {
        guard job.sticker != nil else { return nil }
        let id = job.id
        return switch job.refusal?.reason {
        case .tooLong where granted?.tooLong != .trim:
            "\(stickerctl: "retry \(id) --too-long=trim")"
        case .truncated, .corrupt:
            job.isReadInPart && granted?.damaged == nil
                ? "\(stickerctl: "retry \(id) --accept-damaged")" : nil
        default: nil
        }
    }
}

extension [StepEntry] {
    /// Merges consecutive equal steps into one, with their number and total time: a file that is still
    /// being copied is read repeatedly.
    public var folded: [StepEntry] {
        var folded: [(entry: StepEntry, count: Int)] = []
        for entry in self {
            if let last = folded.last, last.entry.step == entry.step,
                last.entry.detail == entry.detail, last.entry.fit == nil, entry.fit == nil
            {
                folded[folded.count - 1].entry.milliseconds += entry.milliseconds
                if let cpu = entry.cpuMilliseconds {
                    folded[folded.count - 1].entry.cpuMilliseconds =
                        (last.entry.cpuMilliseconds ?? 0) + cpu
                }
                folded[folded.count - 1].count += 1
            } else {
                folded.append((entry, 1))
            }
        }
        return folded.map { entry, count in
            var entry = entry
            if count > 1 { entry.detail += " (\(count.grouped) times)" }
            return entry
        }
    }
}
