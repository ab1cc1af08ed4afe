public import StickerModel

/// Packs of one description as a platform would judge them, or one pack where there is none.
public struct JudgedPack: Sendable {
    /// The platform.
    public let platform: PackPlatform
    /// Where it lies in what was judged: its description, or its folder; empty for all of it.
    public let path: String
    /// The packs.
    public internal(set) var packs: [Readiness.Pack] = []
    /// All faults and warnings that need no decoder.
    public internal(set) var findings: [Finding] = []
    /// The pictures that are still to be decoded.
    public internal(set) var pictures: [JudgedPicture] = []

    /// Whether it is judged by the rules of apps.
    var isApp = false

    init(_ platform: PackPlatform, at path: String) {
        (self.platform, self.path) = (platform, path)
    }
}

/// A picture of a pack that is whole by its headers.
public struct JudgedPicture: Hashable, Sendable {
    /// Its path in what was judged.
    public var path: String
    /// Its size in bytes.
    public var bytes: Int
    /// The pack.
    var pack: String
    /// The sticker; `nil` for a picture that stands for the pack.
    var sticker: StickerID?
    /// Whether it moves.
    var moves: Bool
    /// Whether there is more to the picture than its art.
    var hasMargin: Bool

    /// Faults and warnings about its pixels.
    ///
    /// - Parameter look: what was seen when it was decoded.
    /// - Returns: a fault if there is nothing to be seen, else what would look bad; nothing about margins, which are the
    ///   business of whoever draws.
    public func findings(_ look: PictureLook) -> [Finding] {
        if let fault = look.fault { return [broken(fault)] }
        if look.isEmpty {
            return [
                finding(
                    "picture-empty", .fault, "there is nothing to be seen in the picture",
                    measured: "0 visible pixels", limit: "at least 1",
                    remedy: "export the picture again")
            ]
        }
        guard sticker != nil, let appearance = look.appearance else { return [] }
        return AppearanceRule.broken(by: appearance, moves: moves, hasMargin: hasMargin)
            .filter { $0 != .margin }.map { rule in
                let words = rule.words(of: [appearance], areMoving: moves)
                return finding(
                    rule.rawValue, .warning, words.detail, measured: words.measured,
                    limit: words.limit, remedy: "export the picture again, corrected")
            }
    }

    /// A picture that cannot be decoded.
    ///
    /// - Parameter why: what is wrong with it.
    /// - Returns: a fault.
    public func broken(_ why: String) -> Finding {
        finding(
            "picture-broken", .fault, "the picture cannot be decoded", measured: why,
            limit: "a whole picture", remedy: "export the picture again")
    }

    private func finding(
        _ rule: String, _ severity: Finding.Severity, _ detail: String, measured: String,
        limit: String, remedy: String
    ) -> Finding {
        Finding(
            rule, severity, pack: pack, sticker: sticker, file: path, detail, measured: measured,
            limit: limit, remedy: remedy)
    }
}
