/// Why a question was not answered. Contains no addresses or keys.
package struct UpstreamFault: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kinds of faults that are counted separately.
    package enum Kind: String, Sendable, CaseIterable {
        /// There is no answer, or only a part.
        case unanswered
        /// It redirects to another address.
        case redirect
        /// The key is refused.
        case key
        /// Its quota is exceeded.
        case quota
        /// It answers with another status than 200.
        case status
        /// Its answer is unusable.
        case unreadable
        /// It refuses this question, but may accept others.
        case question
        /// None of the stickers in its answer to this question are usable.
        case stickers
    }

    /// The kind of fault.
    package let kind: Kind
    /// A clause for people, with a remedy if there is one.
    package let description: String
    /// How many seconds the upstream asks to wait at least.
    package let secondsMin: Int

    init(_ kind: Kind, _ description: String, secondsMin: Int = 0) {
        (self.kind, self.description, self.secondsMin) = (kind, description, secondsMin)
    }

    /// The fault for a status other than 200, of HTTP or in the answer.
    static func status(_ status: Int, retryAfterSeconds: Int? = nil) -> UpstreamFault {
        let pause = max(0, retryAfterSeconds ?? 0)
        return switch status {
        case 300...399:
            UpstreamFault(
                .redirect,
                "it redirects to another address (\(status)), which is not followed; "
                    + "correct its url")
        case 401, 403:
            UpstreamFault(.key, "it does not accept the key (\(status)); get another one")
        case 400, 414, 422:
            UpstreamFault(.question, "it does not accept the question (\(status))")
        case 429:
            UpstreamFault(
                .quota,
                "it was asked too often (429), and is left alone for "
                    + "\(UpstreamBook.longPauseSeconds(wanted: pause)) s; lower its callsPerHour, "
                    + "or ask its operator to raise the quota of the key", secondsMin: pause)
        case 404:
            UpstreamFault(.status, "there is nothing at its address (404); correct its url")
        default: UpstreamFault(.status, "it answers \(status)", secondsMin: pause)
        }
    }
}
