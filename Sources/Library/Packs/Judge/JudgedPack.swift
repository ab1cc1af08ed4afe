public import StickerValues

/// Packs of one description as a platform would judge them, or one pack without description.
public struct JudgedPack: Sendable {
    /// The platform.
    public let platform: PackPlatform
    /// The path of its description, or its folder; empty for everything judged.
    public let path: String
    /// The packs.
    public internal(set) var packs: [Readiness.Pack] = []
    /// All faults and warnings that need no decoder.
    public internal(set) var findings: [Finding] = []
    /// The pictures still to be decoded.
    public internal(set) var pictures: [JudgedPicture] = []

    /// Whether the rules for apps apply.
    var isApp = false

    init(_ platform: PackPlatform, at path: String) {
        (self.platform, self.path) = (platform, path)
    }
}

/// A picture of a pack with intact headers.
public struct JudgedPicture: Hashable, Sendable {
    /// Its path among the judged files.
    public var path: String
    /// Its size in bytes.
    public var bytes: Int
    var pack: String
    /// The sticker; `nil` for a picture of the pack itself.
    var sticker: StickerID?
    var moves: Bool
    /// Whether the picture has more area than its art.
    var hasMargin: Bool

    /// Faults and warnings about its pixels.
    ///
    /// - Parameter look: the result of decoding.
    /// - Returns: a fault if nothing is visible, else warnings about visible flaws; none about margins, which are the
    ///   artist's decision.
    public func findings(_ look: PictureLook) -> [Finding] {
        if let fault = look.fault { return [broken(fault)] }
        if look.isEmpty {
            return [
                finding(
                    "picture-empty", .fault, "nothing in the picture is visible",
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
    /// - Parameter why: the reason.
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
