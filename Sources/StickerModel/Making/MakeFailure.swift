/// Why an attempt at a sticker gave none.
public enum MakeFailure: Error, Hashable, Sendable {
    /// The file is bad; another attempt would end the same.
    case refused(Refusal)
    /// The worker crashed, hung or took too much. It may have been the machine, so another attempt is
    /// due; the refusal is what becomes of a second failure.
    case worker(Refusal)
    /// The lane was wanted back.
    case yielded
    /// The system lacks what a worker needs, in one sentence; no file is to blame.
    case lacking(String)
}
