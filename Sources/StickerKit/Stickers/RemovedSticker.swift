public import Foundation

/// A sticker that is no longer published. Its id is never given to another picture.
public struct RemovedSticker: Hashable, Sendable, Decodable, Identifiable {
    /// The id that it had, and has again if its picture comes back.
    public var identifier: String
    /// The name that people saw.
    public var title: String
    /// The id of the category that showed it.
    public var category: String
    /// When it was removed.
    public var removedAt: Date

    /// Creates an entry of the list.
    ///
    /// - Parameters:
    ///   - identifier: the id that it had.
    ///   - title: the name that people saw.
    ///   - category: the id of the category that showed it.
    ///   - removedAt: when it was removed.
    public init(identifier: String, title: String, category: String, removedAt: Date) {
        self.identifier = identifier
        self.title = title
        self.category = category
        self.removedAt = removedAt
    }

    /// The same as `identifier`.
    public var id: String { identifier }
}
