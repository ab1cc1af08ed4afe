import StickerModel

/// A category without what is said about its stickers.
struct CategoryFacts: Hashable, Sendable {
    /// The id.
    let identifier: CategoryID
    /// The name for people.
    let title: String
    /// What it is about.
    let description: String?
    /// Who made it.
    let publisher: String?
    /// Under which terms.
    let licence: String?
    /// Counts up with every published change.
    let generation: Int
    /// The address of a preview, as the manifest says it.
    let imageURL: String?
    /// The address of the 96x96 PNG that represents it.
    let trayURL: String?
    /// How it is doing as packs, by platform.
    let readiness: [PackPlatform: Readiness]
    /// Its stickers, in order.
    let stickers: [StickerID]
    /// How they are rated, in the same order.
    private let ratings: [Rating]
    /// How many of them move.
    let animated: Int

    /// The facts of a category that was read as a whole.
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

    /// Those of its stickers that are rated at most `ceiling`, in order.
    func stickers(upTo ceiling: Rating) -> [StickerID] {
        guard ceiling != .restricted else { return stickers }
        return zip(stickers, ratings).filter { $1.isSeen(upTo: ceiling) }.map(\.0)
    }

    /// The first of these; `nil` if there is none.
    func cover(upTo ceiling: Rating) -> StickerID? {
        zip(stickers, ratings).first { $1.isSeen(upTo: ceiling) }?.0
    }
}
