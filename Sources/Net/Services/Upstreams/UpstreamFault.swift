/// Why a question was not answered. Neither addresses nor keys stand in it.
package struct UpstreamFault: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong, as far as faults are counted apart.
    package enum Kind: String, Sendable, CaseIterable {
        /// There is no answer, or not all of it.
        case unanswered
        /// It sends to another address.
        case redirect
        /// The key is not taken.
        case key
        /// It was asked too often.
        case quota
        /// It answers another status than 200.
        case status
        /// Nothing can be made of its answer.
        case unreadable
        /// It does not take this question; others it may.
        case question
        /// None of the stickers in its answer to this question can be passed on.
        case stickers
    }

    /// What is wrong.
    package let kind: Kind
    /// A clause for people, with a remedy if there is one.
    package let description: String
    /// For how many seconds the upstream wants to be left alone at least.
    package let secondsMin: Int

    init(_ kind: Kind, _ description: String, secondsMin: Int = 0) {
        (self.kind, self.description, self.secondsMin) = (kind, description, secondsMin)
    }

    /// What a status other than 200 means; HTTP's own, or one that stands in the answer.
    static func status(_ status: Int, retryAfterSeconds: Int? = nil) -> UpstreamFault {
        let pause = max(0, retryAfterSeconds ?? 0)
        return switch status {
        case 300...399:
            UpstreamFault(
                .redirect,
                "it sends to another address (\(status)), which is not followed; "
                    + "correct its url")
        case 401, 403:
            UpstreamFault(.key, "it does not take the key (\(status)); get another one")
        case 400, 414, 422:
            UpstreamFault(.question, "it does not take the question (\(status))")
        case 429:
            UpstreamFault(
                .quota,
                "it was asked too often (429), and is left alone for "
                    + "\(UpstreamBook.longPauseSeconds(wanted: pause)) s; lower its callsPerHour, "
                    + "or have whoever runs it raise the quota of the key", secondsMin: pause)
        case 404:
            UpstreamFault(.status, "there is nothing at its address (404); correct its url")
        default: UpstreamFault(.status, "it answers \(status)", secondsMin: pause)
        }
    }
}
