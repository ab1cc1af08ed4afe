import StickerHTTP

/// Bytes of large answers by client, and whether there is room for another one. No client gets more than its share, so
/// one address, however many connections it has, leaves room for all others.
struct AnswerShares {
    /// The most bytes in all.
    static let bytesMax = 64 << 20
    /// The divisors for the share of an address, and of a proxy.
    private static let (partOfClient, partOfCrowd) = (4, 2)

    /// Bytes of all clients.
    private(set) var bytes = 0
    private var clients: [String: Int] = [:]

    /// Whether the client's own share has room. Its first answer always fits, whatever its size.
    func isWithinShare(_ bytes: Int, of caller: Caller) -> Bool {
        guard let theirs = clients[caller.name] else { return true }
        let part = caller.isCrowd ? Self.partOfCrowd : Self.partOfClient
        return theirs + bytes <= Self.bytesMax / part
    }

    /// Whether there is room for an answer. A client's first one always fits if at most one other client is there,
    /// whose single answer may fill all.
    func hasRoom(for bytes: Int, of caller: Caller) -> Bool {
        guard isWithinShare(bytes, of: caller) else { return false }
        let isFirst = clients[caller.name] == nil
        return self.bytes + bytes <= Self.bytesMax || isFirst && clients.count <= 1
    }

    /// The client with the most bytes, if that is more than another one would have with its next answer.
    func greatest(beside caller: Caller, with bytes: Int) -> String? {
        let greatest = clients.max { $0.value < $1.value }
        let part = caller.isCrowd ? Self.partOfCrowd : Self.partOfClient
        let next = min(clients[caller.name, default: 0] + bytes, Self.bytesMax / part)
        guard let greatest, greatest.key != caller.name, greatest.value >= next else { return nil }
        return greatest.key
    }

    /// Counts an answer.
    mutating func add(_ bytes: Int, of caller: Caller) {
        self.bytes += bytes
        clients[caller.name, default: 0] += bytes
    }

    /// Removes an answer from the count.
    mutating func remove(_ bytes: Int, of caller: Caller) {
        self.bytes -= bytes
        let left = clients[caller.name, default: 0] - bytes
        clients[caller.name] = left > 0 ? left : nil
    }
}
