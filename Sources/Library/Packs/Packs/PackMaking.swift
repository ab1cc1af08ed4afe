public import StickerModel

/// What a platform imports, as data and pure functions. Adding one is a recipe in CONTRIBUTING.md.
public protocol PackMaking: Sendable {
    /// The platform; it names the target whose files its packs hold.
    var platform: PackPlatform { get }
    /// How it divides a category.
    var rules: PartRules { get }
    /// The names of the forms in which it can be had, the usual one first.
    var forms: [String] { get }
    /// The forms that hold the packs of all categories in one, where an app wants that.
    var formsOfLibrary: [String] { get }
    /// The forms that are written on request only.
    var formsOnRequest: Set<String> { get }
    /// The sizes of the pictures that stand for a pack, besides the tray of 96x96 pixels.
    var icons: [PixelSize] { get }
    /// Whether all categories together are one bundle, in which each has its place for ever.
    var isForLibrary: Bool { get }

    /// The platform as it makes the forms that hold the packs of all categories.
    ///
    /// - Parameters:
    ///   - smart: the categories whose smart stickers are told of, too.
    ///   - personal: whether users may add stickers.
    /// - Returns: the same platform where such a form holds packs alone.
    func ofLibrary(smart: [PackSource], personal: PersonalConfiguration) -> any PackMaking

    /// What it would refuse about a pack, and what would look bad.
    ///
    /// - Parameters:
    ///   - pack: as it would be made.
    ///   - target: the rules of its pictures; `nil` if the platform has none of its own.
    /// - Returns: all of it, in any order.
    func lint(_ pack: Pack, _ target: Target?) -> [Finding]

    /// The files of a form.
    ///
    /// - Parameters:
    ///   - packs: the packs of a category, or of the library, none of which has a fault.
    ///   - form: the name of one of `forms`.
    /// - Returns: the files in the order in which they are written.
    func files(of packs: [Pack], as form: String) -> [PackFile]

    /// What the platform would refuse about finished files.
    ///
    /// - Parameters:
    ///   - form: the name of one of `forms`.
    ///   - file: returns the bytes of a file by its path; `nil` if there is none.
    /// - Returns: all of it; nothing where the platform has no rules for finished files.
    func findings(in form: String, file: (_ path: String) -> [UInt8]?) -> [Finding]
}

extension PackMaking {
    /// None, or those of the only bundle there is.
    public var formsOfLibrary: [String] { isForLibrary ? forms : [] }

    /// None.
    public var formsOnRequest: Set<String> { [] }

    /// None.
    public var icons: [PixelSize] { [] }

    /// The same: packs are all there is.
    public func ofLibrary(smart: [PackSource], personal: PersonalConfiguration) -> any PackMaking {
        self
    }

    /// Each category has packs of its own.
    public var isForLibrary: Bool { false }

    /// Nothing.
    public func findings(in form: String, file: (_ path: String) -> [UInt8]?) -> [Finding] { [] }

    /// The stickers of a category that its packs can hold, in order.
    ///
    /// - Parameter source: the category.
    /// - Returns: what `Parts` divides.
    public func candidates(of source: PackSource) -> [Parts.Candidate] {
        source.stickers.compactMap { sticker in
            source.picture(of: sticker, for: platform).map {
                .init(
                    sticker.identifier, moves: $0.moves, publishedAt: sticker.publishedAt ?? "")
            }
        }
    }
}
