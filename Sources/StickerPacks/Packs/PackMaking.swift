public import StickerModel

/// What a platform imports, as data and pure functions. Adding one is a recipe in CONTRIBUTING.md.
public protocol PackMaking: Sendable {
    /// The platform.
    var platform: PackPlatform { get }
    /// The target whose files its packs hold.
    var target: String { get }
    /// How it divides a category.
    var rules: PartRules { get }
    /// The names of the forms in which it can be had, the usual one first.
    var forms: [String] { get }

    /// What it would refuse about a pack, and what would look bad.
    ///
    /// - Parameter pack: as it would be made.
    /// - Returns: all of it, faults first.
    func lint(_ pack: Pack) -> [Finding]

    /// The files of a form.
    ///
    /// - Parameters:
    ///   - packs: the packs of a category, none of which has a fault.
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
    /// Nothing.
    public func findings(in form: String, file: (_ path: String) -> [UInt8]?) -> [Finding] { [] }
}
