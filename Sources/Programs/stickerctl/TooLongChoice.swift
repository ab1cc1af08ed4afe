import ArgumentParser
import StickerStore
import StickerValues

/// The treatment of an animation that plays too long, on the command line; `default` is the rule of its target.
struct TooLongChoice: ExpressibleByArgument {
    let rule: TooLongRule

    init?(argument: String) {
        guard argument != "default" else {
            rule = .ofTarget
            return
        }
        guard let own = TooLong(rawValue: argument) else { return nil }
        rule = .own(own)
    }

    static var allValueStrings: [String] { TooLong.allCases.map(\.rawValue) + ["default"] }
}
