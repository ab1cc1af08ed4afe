/// Distinguishes contents, the same in every process: FNV-1a of 64 bits (RFC 9923). Collisions gain an attacker
/// nothing: anyone who can write the tree decides its contents anyway.
struct Fingerprint: Hashable, Sendable {
    private var state: UInt64 = 14_695_981_039_346_656_037

    mutating func add(_ bytes: some Sequence<UInt8>) {
        for byte in bytes { state = (state ^ UInt64(byte)) &* 1_099_511_628_211 }
    }

    /// Adds a text and its end, so that two neighbours differ from another two.
    mutating func add(_ text: String) {
        add(text.utf8)
        add(CollectionOfOne(0))
    }

    /// Adds another one.
    mutating func add(_ other: Fingerprint) {
        withUnsafeBytes(of: other.state.littleEndian) { add($0) }
    }

    /// As a short word.
    var text: String { String(state, radix: 36) }
}
