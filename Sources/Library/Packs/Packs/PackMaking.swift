public import StickerConfiguration
public import StickerValues

/// The packs of a platform, as data and pure functions. CONTRIBUTING.md explains how to add a platform.
public protocol PackMaking: Sendable {
    /// The platform; it names the target whose files its packs hold.
    var platform: PackPlatform { get }
    /// How it divides a category.
    var rules: PartRules { get }
    /// The names of its forms, the usual one first.
    var forms: [String] { get }
    /// The forms that hold the packs of all categories together, where an app requires that.
    var formsOfLibrary: [String] { get }
    /// The forms that are written only on request.
    var formsOnRequest: Set<String> { get }
    /// The sizes of a pack's icons, besides the tray of 96x96 pixels.
    var icons: [PixelSize] { get }
    /// Whether all categories form one bundle with permanent places.
    var isForLibrary: Bool { get }

    /// The platform for the forms that hold the packs of all categories.
    ///
    /// - Parameters:
    ///   - smart: the categories whose smart stickers are included.
    ///   - personal: whether users may add stickers.
    /// - Returns: the same platform where such a form holds only packs.
    func ofLibrary(smart: [PackSource], personal: PersonalConfiguration) -> any PackMaking

    /// Faults that the platform would refuse, and visible flaws.
    ///
    /// - Parameters:
    ///   - pack: as it would be made.
    ///   - target: the rules of its pictures; `nil` if the platform has none of its own.
    /// - Returns: all findings, in any order.
    func lint(_ pack: Pack, _ target: Target?) -> [Finding]

    /// The files of a form.
    ///
    /// - Parameters:
    ///   - packs: the packs of a category, or of the library, without faults.
    ///   - form: the name of one of `forms`.
    /// - Returns: the files in writing order.
    func files(of packs: [Pack], as form: String) -> [PackFile]

    /// Faults of finished files that the platform would refuse.
    ///
    /// - Parameters:
    ///   - form: the name of one of `forms`.
    ///   - file: returns the bytes of a file by its path; `nil` if there is none.
    /// - Returns: all of them; none if the platform has no rules for finished files.
    func findings(in form: String, file: (_ path: String) -> [UInt8]?) -> [Finding]
}

extension PackMaking {
    /// None, or those of the only bundle there is.
    public var formsOfLibrary: [String] { isForLibrary ? forms : [] }

    /// None.
    public var formsOnRequest: Set<String> { [] }

    /// None.
    public var icons: [PixelSize] { [] }

    /// The same: it has only packs.
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
    /// - Returns: the input of `Parts`.
    public func candidates(of source: PackSource) -> [Parts.Candidate] {
        source.stickers.compactMap { sticker in
            source.picture(of: sticker, for: platform).map {
                .init(
                    sticker.identifier, moves: $0.moves, publishedAt: sticker.publishedAt ?? "")
            }
        }
    }
}
