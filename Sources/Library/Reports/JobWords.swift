import FoundationEssentials
public import StickerModel
public import StickerStore

extension JobRecord {
    /// Whether another round could help. What breaks a rule by its bytes does so each time; what lies under its
    /// name later gets a job of its own, and so does the file when the rule changes.
    public var mayEndOtherwise: Bool { refusal?.reason.isFinal != true }

    /// Whether it is of a smart sticker that waits for fonts: nothing else is refused for its characters.
    public var isDrawnAgain: Bool { refusal?.reason == .unknownCharacters }

    /// How it gets another round that could help: a command, or by itself; `nil` if none could.
    public var again: String? {
        guard !isDrawnAgain else { return "by itself once the fonts or what it shows change" }
        return mayEndOtherwise ? "\(stickerctl: "retry \(id)")" : nil
    }
}

extension JobState {
    /// The word for people.
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

    /// The command by which an operator lets it happen.
    public var confirmation: String {
        "\(stickerctl: "confirm-delete \(FileName.escaped(name).asShellWord)")"
    }
}

extension Timestamp {
    /// How long ago that was.
    public var ago: String {
        let seconds = Int((Date().timeIntervalSince1970 * 1000 - Double(milliseconds)) / 1000)
        return Swift.max(0, seconds).asTime
    }
}

extension JobRecord {
    /// Whether it is of a format of which a part makes sense, by its name.
    fileprivate var isReadInPart: Bool {
        let name = FileName.fileExtension(Array(file.utf8))
        return [ImageFormat.png, .jpeg, .gif].contains { $0.fileExtensions.contains(name) }
    }
}

extension JobDetails {
    /// The command by which an operator grants what it lacked; `nil` if nothing can be granted, or was in vain.
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
