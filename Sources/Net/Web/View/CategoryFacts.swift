import StickerValues

/// A category without the details of its stickers.
struct CategoryFacts: Hashable, Sendable {
    let identifier: CategoryID
    /// The name for people.
    let title: String
    let description: String?
    /// Its author.
    let publisher: String?
    /// Its terms.
    let licence: String?
    /// Counts up with every published change.
    let generation: Int
    /// The address of a preview, as in the manifest.
    let imageURL: String?
    /// The address of the 96x96 PNG that represents it.
    let trayURL: String?
    /// The state of its packs, by platform.
    let readiness: [PackPlatform: Readiness]
    /// Its stickers, in order.
    let stickers: [StickerID]
    /// Their ratings, in the same order.
    private let ratings: [Rating]
    /// How many of them move.
    let animated: Int

    /// The facts of a complete category.
    init(_ category: PublishedCategory) {
        identifier = category.identifier
        title = category.title
        description = category.description
        publisher = category.publisher
        licence = category.licence
        generation = category.generation
        imageURL = category.imageURL
        trayURL = category.trayURL
        readiness = category.readiness ?? [:]
        stickers = category.stickers.map(\.identifier)
        ratings = category.stickers.map { $0.rating ?? .unsaid }
        animated = category.stickers.count(where: \.animated)
    }

    /// Its stickers rated at most `ceiling`, in order.
    func stickers(upTo ceiling: Rating) -> [StickerID] {
        guard ceiling != .restricted else { return stickers }
        return zip(stickers, ratings).filter { $1.isSeen(upTo: ceiling) }.map(\.0)
    }

    /// The first of these; `nil` if there is none.
    func cover(upTo ceiling: Rating) -> StickerID? {
        zip(stickers, ratings).first { $1.isSeen(upTo: ceiling) }?.0
    }
}
