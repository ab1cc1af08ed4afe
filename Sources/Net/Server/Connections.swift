import NIOCore
import StickerConfiguration
import StickerHTTP
import StickerValues
import Synchronization

/// All connections. Every client is let in: if a client has as many connections as it may, its longest idle one is
/// closed; if all places are taken, that of the client with the most. So no client keeps others out.
final class Connections: Sendable {
    /// The most connections.
    struct Bounds: Sendable {
        /// In all.
        var all: Int
        /// From one address, or one IPv6 network of 64 bits.
        var ofClient: Int
        /// From an address with many clients: a named proxy, and this machine.
        var ofProxy: Int
    }

    final class Connection: Sendable {
        /// Identifies its client.
        let party: String
        private let channel: any Channel
        private let movedAt: Atomic<UInt64>

        fileprivate init(_ channel: any Channel, party: String) {
            (self.channel, self.party) = (channel, party)
            movedAt = Atomic(NIODeadline.now().uptimeNanoseconds)
        }

        /// Notes that data arrived or left.
        func move() {
            movedAt.store(NIODeadline.now().uptimeNanoseconds, ordering: .relaxed)
        }

        fileprivate var restsSince: UInt64 { movedAt.load(ordering: .relaxed) }
        fileprivate func close() { channel.close(promise: nil) }
    }

    private struct State {
        var parties: [String: [ObjectIdentifier: Connection]] = [:]
        var count = 0

        mutating func remove(_ connection: Connection) -> Bool {
            let key = ObjectIdentifier(connection)
            guard parties[connection.party]?.removeValue(forKey: key) != nil else { return false }
            if parties[connection.party]?.isEmpty == true { parties[connection.party] = nil }
            count -= 1
            return true
        }
    }

    /// Decides which of them may begin a request.
    let turnstile = RequestTurnstile()
    private let bounds: Bounds
    private let proxies: [AddressRange]
    private let note: @Sendable (ServerEvent) -> Void
    private let memory = MemoryReturn(leastPeak: 64)
    private let state = Mutex(State())

    /// - Parameters:
    ///   - bounds: the most connections.
    ///   - proxies: addresses with many clients.
    ///   - note: receives each change.
    init(
        _ bounds: Bounds, proxies: [AddressRange],
        note: @escaping @Sendable (ServerEvent) -> Void
    ) {
        (self.bounds, self.proxies, self.note) = (bounds, proxies, note)
    }

    /// Admits a connection; another one may be closed for it.
    ///
    /// - Returns: the entry of the connection.
    func admit(_ channel: any Channel) -> Connection {
        let address = channel.remoteAddress?.ipAddress.flatMap { NetworkAddress($0) }
        let connection = Connection(channel, party: address?.party ?? "")
        let bound = isForMany(address) ? bounds.ofProxy : bounds.ofClient
        let (ended, count) = state.withLock { state in
            let ended = makeRoom(connection.party, bound, &state)
            state.parties[connection.party, default: [:]][ObjectIdentifier(connection)] = connection
            state.count += 1
            return (ended, state.count)
        }
        if let ended {
            ended.connection.close()
            note(.cut(ended.why))
        }
        note(.connections(count))
        memory.level(count)
        return connection
    }

    /// Notes that a connection has ended.
    func leave(_ connection: Connection) {
        guard let count = state.withLock({ $0.remove(connection) ? $0.count : nil }) else { return }
        note(.connections(count))
        memory.level(count)
    }

    private func isForMany(_ address: NetworkAddress?) -> Bool {
        guard let address else { return true }
        return address.isLoopback || proxies.contains { $0.contains(address) }
    }

    private func makeRoom(
        _ party: String, _ bound: Int, _ state: inout State
    ) -> (connection: Connection, why: ServerEvent.Cut)? {
        let theirs = state.parties[party]
        let isTooMany = theirs.map { $0.count >= bound } ?? false
        guard isTooMany || state.count >= bounds.all else { return nil }
        let from = isTooMany ? theirs : state.parties.values.max { $0.count < $1.count }
        let rested = from?.values.min { $0.restsSince < $1.restsSince }
        guard let rested, state.remove(rested) else { return nil }
        return (rested, isTooMany ? .client : .places)
    }
}

extension Connections.Bounds {
    /// The bounds of a process.
    ///
    /// - Parameter descriptors: its limit; a part is left for files.
    init(descriptors: Int) {
        all = min(4096, max(16, descriptors / 4 * 3))
        ofClient = min(256, all / 4)
        ofProxy = all / 2
    }
}
