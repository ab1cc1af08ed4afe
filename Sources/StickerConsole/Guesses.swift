import Synchronization

/// Wrong tokens, by the address from which they came: after some of them, none a minute before the next one, an address
/// waits for a minute.
final class Guesses: Sendable {
    /// How many there may be.
    static let allowed = 10
    /// How long an address waits, in seconds.
    static let pause = 60
    /// How many addresses are known at once; who has more of them than that finds no token of 16 characters, either.
    private static let addressesMax = 1000

    private let clock: @Sendable () -> Int
    private let wrong = Mutex<[String: (count: Int, last: Int)]>([:])

    /// - Parameter clock: seconds that nobody sets.
    init(clock: @escaping @Sendable () -> Int) { self.clock = clock }

    /// Whether a token from `address` is looked at.
    func isAllowed(from address: String) -> Bool {
        let now = clock()
        return wrong.withLock { wrong in
            guard let known = wrong[address], now - known.last < Self.pause else { return true }
            return known.count < Self.allowed
        }
    }

    /// Notes a wrong one.
    func add(from address: String) {
        let now = clock()
        wrong.withLock { wrong in
            if wrong.count >= Self.addressesMax {
                wrong = wrong.filter { now - $0.value.last < Self.pause }
            }
            if wrong.count >= Self.addressesMax { wrong.removeAll() }
            let known = wrong[address].flatMap { now - $0.last < Self.pause ? $0 : nil }
            wrong[address] = ((known?.count ?? 0) + 1, now)
        }
    }
}
