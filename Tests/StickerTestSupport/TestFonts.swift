import Foundation
public import Testing

/// The folder of fonts beside the programs of this build, which `deploy/check.sh` assembles.
public enum TestFonts {
    /// The absolute path; `nil` if it is not there.
    public static let path: String? = {
        let folder = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
            .appending(path: "stickerd-fonts").resolvingSymlinksInPath().path
        guard FileManager.default.fileExists(atPath: "\(folder)/fonts.conf") else { return nil }
        // librsvg finds its fonts by this alone.
        setenv("FONTCONFIG_FILE", "\(folder)/fonts.conf", 1)
        return folder
    }()
}

extension Trait where Self == ConditionTrait {
    /// Skips the test, with a hint, where no fonts are at hand.
    public static var needsFonts: Self {
        .enabled(
            if: TestFonts.path != nil,
            "run deploy/fonts.sh \"$(swift build --show-bin-path)/stickerd-fonts\" to run this test"
        )
    }
}
