import Dispatch
import StickerHTTP
import Synchronization

/// Notifies users' open pages of the state of their uploads. One look serves all pages of a user, on a separate queue:
/// a disk that hangs blocks nothing else.
final class UploadFeeds: Sendable {
    /// The most pages at once: each holds a connection.
    private static let pagesMax = 2000
    private static let pagesOfAUserMax = 16
    /// The same from one address, for all users together.
    private static let pagesOfAnAddressMax = 64

    private struct State {
        /// By user.
        var feeds: [String: ChangeFeed] = [:]
        /// Open pages by address.
        var pages: [String: Int] = [:]
        var count = 0

        mutating func leave(_ address: String) {
            count -= 1
            let left = pages[address, default: 0] - 1
            pages[address] = left > 0 ? left : nil
        }
    }

    private let state = Mutex(State())
    private let look: @Sendable (String) -> String
    private let queue = DispatchQueue(label: "stickerd-web.users")
    private let isLooking = Atomic(false)

    /// - Parameter look: a word for the state of a user's uploads.
    init(look: @escaping @Sendable (String) -> String) { self.look = look }

    /// The current state of a user's uploads, and later ones; `nil` if too many pages listen, of the user, from the
    /// caller's address, or in all.
    func listen(_ user: String, at caller: Caller) -> AsyncStream<String>? {
        let mark = look(user)
        // Under the lock, as a feed without listeners is removed.
        let changes = state.withLock { state -> AsyncStream<String>? in
            let pages = state.pages[caller.name, default: 0]
            guard state.count < Self.pagesMax, pages < Self.pagesOfAnAddressMax * caller.share
            else { return nil }
            let feed = state.feeds[user] ?? ChangeFeed(listenersOfAClientMax: Self.pagesOfAUserMax)
            feed.tell(mark)
            let changes = feed.listen(client: user) { [weak self] in
                self?.state.withLock { $0.leave(caller.name) }
            }
            guard let changes else { return nil }
            state.feeds[user] = feed
            state.pages[caller.name] = pages + 1
            state.count += 1
            return changes
        }
        if !isLooking.exchange(true, ordering: .relaxed) { lookAgain() }
        return changes
    }

    /// Repeats while there are listeners.
    private func lookAgain() {
        queue.asyncAfter(deadline: .now() + .milliseconds(500)) { [weak self] in
            guard let self else { return }
            let present = state.withLock { state in
                state.feeds = state.feeds.filter { $0.value.count > 0 }
                return state.feeds
            }
            for (user, feed) in present { feed.tell(look(user)) }
            guard present.isEmpty else { return lookAgain() }
            isLooking.store(false, ordering: .relaxed)
            // A listener may have come meanwhile.
            let isSomebodyThere = state.withLock { !$0.feeds.isEmpty }
            if isSomebodyThere, !isLooking.exchange(true, ordering: .relaxed) { lookAgain() }
        }
    }
}
