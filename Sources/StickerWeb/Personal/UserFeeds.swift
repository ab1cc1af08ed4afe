import Dispatch
import Synchronization

/// Tells the open pages of users which state their uploads are in. It is looked once for all pages of a user, on a queue of
/// its own: a disk that hangs holds up nothing else.
final class UserFeeds: Sendable {
    /// More users at once are told to come back later.
    private static let usersMax = 2000
    private static let pagesOfAUserMax = 16

    private let feeds = Mutex<[String: ChangeFeed]>([:])
    private let look: @Sendable (String) -> String
    private let queue = DispatchQueue(label: "stickerd-web.users")
    private let isLooking = Atomic(false)

    /// - Parameter look: a word for the state of a user's uploads.
    init(look: @escaping @Sendable (String) -> String) { self.look = look }

    /// The present state of a user's uploads, and those that follow; `nil` if too many listen.
    func listen(_ user: String) -> AsyncStream<String>? {
        let mark = look(user)
        // Under the lock, as a feed to which nobody listens is removed.
        let changes = feeds.withLock { feeds -> AsyncStream<String>? in
            if feeds[user] == nil, feeds.count < Self.usersMax {
                feeds[user] = ChangeFeed(listenersOfAClientMax: Self.pagesOfAUserMax)
            }
            feeds[user]?.tell(mark)
            return feeds[user]?.listen(client: user)
        }
        if !isLooking.exchange(true, ordering: .relaxed) { lookAgain() }
        return changes
    }

    /// As long as somebody listens.
    private func lookAgain() {
        queue.asyncAfter(deadline: .now() + .milliseconds(500)) { [weak self] in
            guard let self else { return }
            let present = feeds.withLock { feeds in
                feeds = feeds.filter { $0.value.count > 0 }
                return feeds
            }
            for (user, feed) in present { feed.tell(look(user)) }
            guard present.isEmpty else { return lookAgain() }
            isLooking.store(false, ordering: .relaxed)
            // Somebody may have come meanwhile.
            let isSomebodyThere = feeds.withLock { !$0.isEmpty }
            if isSomebodyThere, !isLooking.exchange(true, ordering: .relaxed) { lookAgain() }
        }
    }
}
