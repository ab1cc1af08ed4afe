import StickerHTTP

/// Bytes of large answers by client, and whether another answer has its place among them: no client has more than its share,
/// so one address, however many connections it has, leaves room for all others.
struct AnswerShares {
    /// Bytes in all.
    static let bytesMax = 64 << 20
    /// The part of them that an address may have, and that a proxy may have for its clients.
    private static let (partOfClient, partOfCrowd) = (4, 2)

    /// Bytes of all clients.
    private(set) var bytes = 0
    private var clients: [String: Int] = [:]

    /// Whether the client itself has room, whatever others have. Its first answer always has, as large as it may be.
    func isWithinShare(_ bytes: Int, of caller: Caller) -> Bool {
        guard let theirs = clients[caller.name] else { return true }
        let part = caller.isCrowd ? Self.partOfCrowd : Self.partOfClient
        return theirs + bytes <= Self.bytesMax / part
    }

    /// Whether an answer has a place. The first one of a client always has if one other client at most is there, whose single
    /// answer may fill all.
    func hasRoom(for bytes: Int, of caller: Caller) -> Bool {
        guard isWithinShare(bytes, of: caller) else { return false }
        let isFirst = clients[caller.name] == nil
        return self.bytes + bytes <= Self.bytesMax || isFirst && clients.count <= 1
    }

    /// The client that has the most, if that is more than another one would have with its next answer.
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

    /// Counts it no more.
    mutating func remove(_ bytes: Int, of caller: Caller) {
        self.bytes -= bytes
        let left = clients[caller.name, default: 0] - bytes
        clients[caller.name] = left > 0 ? left : nil
    }
}
