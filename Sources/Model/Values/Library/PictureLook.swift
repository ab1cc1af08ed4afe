/// The result of decoding a finished file.
public struct PictureLook: Hashable, Sendable, Codable {
    /// Why it cannot be decoded, in one sentence; `nil` if it can.
    public var fault: String?
    /// Whether all pixels of all frames are invisible.
    public var isEmpty: Bool
    /// Its appearance in chats; `nil` if it cannot be decoded, or is empty.
    public var appearance: Appearance?

    /// Creates the description of a file.
    public init(fault: String? = nil, isEmpty: Bool = false, appearance: Appearance? = nil) {
        (self.fault, self.isEmpty, self.appearance) = (fault, isEmpty, appearance)
    }
}
