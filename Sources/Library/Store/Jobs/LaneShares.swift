import Glibc
public import StickerValues

/// The recent lane time of each user, which decides whose job is next.
///
/// Users take turns by the time that each has had, and so do the categories of each; after ten minutes it counts half.
/// Users whose last attempts ended at a limit come after the others.
public struct LaneShares: Sendable {
    /// A party that takes turns: a user, in one category.
    public struct Holder: Hashable, Sendable {
        /// The number of the user who owns the file.
        var owner: Int64
        var category: CategoryID

        /// Whether `others` hold no job of the same user; if they are all of one category, of that category.
        public func isApart(from others: Set<Holder>) -> Bool {
            if others.count == 1 { return !others.contains(self) }
            return !others.contains { $0.owner == owner }
        }
    }

    /// The place in the queue; the least is next.
    struct Place: Comparable {
        var user: Account
        var category: Account
        /// Its oldest waiting job.
        var first: Int64

        static func < (one: Place, other: Place) -> Bool {
            if one.user != other.user { return one.user < other.user }
            if one.category != other.category { return one.category < other.category }
            return one.first < other.first
        }
    }

    /// The share of one user, or of one category.
    struct Account: Comparable {
        var seconds = 0.0
        /// Attempts that ended at a limit, less later ones that did not.
        var strikes = 0

        static func < (one: Account, other: Account) -> Bool {
            let isOrderly = (one.strikes == 0, other.strikes == 0)
            return isOrderly.0 == isOrderly.1 ? one.seconds < other.seconds : isOrderly.0
        }

        fileprivate mutating func add(_ time: Double, isStrike: Bool?) {
            seconds += time
            guard let isStrike else { return }
            strikes = min(max(0, strikes + (isStrike ? 1 : -1)), LaneShares.strikesMax)
        }
    }

    /// After this time a share counts half.
    static let halfLife = Duration.seconds(600)
    /// This many good attempts make up for any number that ended at a limit.
    static let strikesMax = 3
    /// A smaller share is forgotten, with its strikes.
    private static let leastSeconds = 0.01

    /// A user, or the category of files whose owner is unknown.
    private enum User: Hashable {
        case known(Int64)
        case of(CategoryID)

        init(_ holder: Holder) {
            self =
                holder.owner == SourceRow.unknownOwner ? .of(holder.category) : .known(holder.owner)
        }
    }

    private struct Accounts {
        var users: [User: Account] = [:]
        var categories: [Holder: Account] = [:]

        mutating func add(_ seconds: Double, to holder: Holder, isStrike: Bool?) {
            users[User(holder), default: Account()].add(seconds, isStrike: isStrike)
            categories[holder, default: Account()].add(seconds, isStrike: isStrike)
        }

        mutating func shrink(by factor: Double) {
            users = LaneShares.remaining(users, factor)
            categories = LaneShares.remaining(categories, factor)
        }
    }

    /// Ordinary jobs, large ones and side files count separately, so that a film delays no small picture of the same
    /// user.
    private var small = Accounts()
    private var large = Accounts()
    private var words = Accounts()
    private var time: ContinuousClock.Instant

    /// Creates empty shares.
    public init(at time: ContinuousClock.Instant = .now) { self.time = time }

    /// Notes the time that an attempt of `holder` took.
    ///
    /// - Parameters:
    ///   - ordinary: the time on a lane as an ordinary job.
    ///   - large: the time as a large one.
    ///   - holder: whose job it was.
    ///   - isStrike: whether it ended at a limit; `nil` if unknown.
    public mutating func add(
        _ ordinary: Duration, large: Duration = .zero, to holder: Holder, isStrike: Bool? = nil
    ) {
        small.add(ordinary / .seconds(1), to: holder, isStrike: isStrike)
        self.large.add(large / .seconds(1), to: holder, isStrike: isStrike)
    }

    /// Notes how long a side file of `holder` held their lane.
    public mutating func add(words time: Duration, to holder: Holder) {
        words.add(time / .seconds(1), to: holder, isStrike: nil)
    }

    /// Lets time pass until `now`.
    public mutating func pass(until now: ContinuousClock.Instant) {
        guard now > time else { return }
        let factor = exp2(-((now - time) / Self.halfLife))
        time = now
        small.shrink(by: factor)
        large.shrink(by: factor)
        words.shrink(by: factor)
    }

    func place(of holder: Holder, _ priority: JobPriority = .fresh, first: Int64) -> Place {
        let accounts = priority == .words ? words : priority.isLarge ? large : small
        return Place(
            user: accounts.users[User(holder)] ?? Account(),
            category: accounts.categories[holder] ?? Account(), first: first)
    }

    private static func remaining<Key>(
        _ accounts: [Key: Account], _ factor: Double
    ) -> [Key: Account] {
        accounts.compactMapValues {
            var account = $0
            account.seconds *= factor
            return account.seconds < leastSeconds ? nil : account
        }
    }
}

extension ClaimedJob {
    /// The party whose turn it uses.
    public var holder: LaneShares.Holder { LaneShares.Holder(owner: owner, category: category) }
}

extension JobOutcome {
    /// Whether the attempt ended at a limit of time or memory, or with a sticker; `nil` for any other end.
    public var isStrike: Bool? {
        switch self {
        case .refused(let refusal, _), .workerFailed(let refusal, _):
            [.tooComplex, .outOfMemory].contains(refusal.reason) ? true : nil
        case .made: false
        default: nil
        }
    }
}
