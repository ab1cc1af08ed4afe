extension [UInt8] {
    /// Two digits a byte.
    var hexadecimal: String {
        map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    /// The bytes that `hexadecimal` shows; `nil` where it is no such text.
    init?(hexadecimal: String) {
        let digits = [Character](hexadecimal)
        guard digits.count.isMultiple(of: 2) else { return nil }
        self = stride(from: 0, to: digits.count, by: 2).compactMap { index in
            UInt8(String(digits[index...index + 1]), radix: 16)
        }
        guard count * 2 == digits.count else { return nil }
    }
}
