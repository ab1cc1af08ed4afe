public import Foundation

/// A sticker that is no longer published. Its id is never given to another picture.
public struct RemovedSticker: Hashable, Sendable, Decodable, Identifiable {
    /// The id that it had, and has again if its picture comes back.
    public var identifier: String
    /// The name shown to people.
    public var title: String
    /// The id of its category.
    public var category: String
    /// When it was removed.
    public var removedAt: Date
    /// The id of the sticker that shows its picture now, if its file became the next version of that sticker in another
    /// format. `nil` if there is none.
    public var successor: String?

    /// Creates an entry of the list.
    ///
    /// - Parameters:
    ///   - identifier: its id.
    ///   - title: the name shown to people.
    ///   - category: the id of its category.
    ///   - removedAt: when it was removed.
    ///   - successor: the id of the sticker that shows its picture now.
    public init(
        identifier: String, title: String, category: String, removedAt: Date,
        successor: String? = nil
    ) {
        self.identifier = identifier
        self.title = title
        self.category = category
        self.removedAt = removedAt
        self.successor = successor
    }

    /// The same as `identifier`.
    public var id: String { identifier }
}
