/// Why an attempt did not result in a sticker.
public enum MakeFailure: Error, Hashable, Sendable {
    /// The file is bad; another attempt would end the same.
    case refused(Refusal)
    /// The worker crashed, hung or exceeded a limit. The machine may have been the cause, so the job gets another
    /// attempt; the refusal applies if that fails too.
    case worker(Refusal)
    /// Another job needs the lane.
    case yielded
    /// The system lacks something that a worker needs, in one sentence; no file is to blame.
    case lacking(String)
}
