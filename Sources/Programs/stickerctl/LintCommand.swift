import ArgumentParser
import Glibc
import StickerConfiguration
import StickerPackFiles
import StickerPacks
import StickerStore
import StickerSystem
import StickerValues

/// `stickerctl lint CATEGORY` and `stickerctl lint PATH`: finds faults before platforms refuse them.
struct LintCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "lint", abstract: "Reports what platforms would refuse about packs.",
        discussion: """
            A category's published files and packs are compared with their records, and judged by \
            the rules of the platform. Warnings about pixels date from when a sticker was made. \
            An argument with a slash is a folder or an archive of packs from anywhere, for any \
            platform; every picture is decoded, and neither a configuration nor a daemon is \
            needed. Nothing is changed. Ends with 3 if there is a fault.
            """)

    @OptionGroup var shared: SharedOptions

    @Option(
        name: .customLong("for"),
        help: ArgumentHelp(
            "A platform, or all; default those of sticker.packs, or those that a folder names.",
            valueName: "platform"))
    var platform: String?

    @Flag(help: "Print JSON.")
    var json = false

    @Argument(
        help: ArgumentHelp(
            "A category, by id; or a folder or an archive: ./packs.", valueName: "category-or-path")
    )
    var subject: String

    func validate() throws {
        let names = Platforms.all.map(\.platform.rawValue)
        guard let platform, platform != "all" else { return }
        guard names.contains(platform) else {
            throw ValidationError("packs can be made for: \(names.joined(separator: ", "))")
        }
    }

    func run() throws {
        let answer = try complaining {
            let configuration = try shared.loadFolders().file.configuration
            return try subject.contains("/")
                ? folder(configuration)
                : CategoryLint(configuration, try shared.openStore(.reader)).answer(
                    on: CategoryID(rawValue: subject), for: wanted)
        }
        if json { try printJSON(answer) } else { for line in answer.lines { print(line) } }
        if !answer.isReady { throw ExitCode(3) }
    }

    private func folder(_ configuration: Configuration) throws -> LintAnswer {
        let path = CommandLine.absolutePath(subject)
        guard access(path, F_OK) == 0 || errno != ENOENT else {
            complain("there is no \(FileName.escaped(subject))")
            throw ExitCode(1)
        }
        let lint = try FolderLint(configuration)
        let platforms: [PackPlatform?] =
            platform == "all"
            ? PackPlatform.allCases : [platform.flatMap(PackPlatform.init(rawValue:))]
        var answer = LintAnswer(platforms: [])
        for platform in platforms {
            let (reports, unread) = try lint.judged(path, for: platform)
            answer.platforms += reports
            answer.unread = (answer.unread ?? []) + unread
        }
        return answer
    }

    /// The platforms to check: those named, else those with packs, else all.
    private func wanted(_ kept: [PackPlatform]) -> [any PackMaking] {
        switch platform {
        case nil where !kept.isEmpty: Platforms.all.filter { kept.contains($0.platform) }
        case nil, "all": Platforms.all
        case let name: Platforms.all.filter { $0.platform.rawValue == name }
        }
    }
}

/// All findings.
struct LintAnswer: Encodable {
    var platforms: [LintReport]
    /// Damaged published files; absent for a folder.
    var published: [Finding]?
    /// Files and packs in a folder that could not be checked; absent for a category.
    var unread: [Finding]?
    /// The number of stickers that could not be checked, as only their files are known.
    var unjudged = 0

    enum CodingKeys: String, CodingKey {
        case platforms, published, unread
    }

    /// Whether there is no fault.
    var isReady: Bool {
        platforms.allSatisfy(\.ready)
            && !((published ?? []) + (unread ?? [])).contains { $0.severity == .fault }
    }

    var lines: [String] {
        var lines: [String] = []
        if let published, !published.isEmpty {
            let count = published.count.counted("damaged file", "damaged files")
            lines += ["published: \(Style.alarming(count))"] + LintReport.lines(of: published)
        }
        if let unread, !unread.isEmpty {
            lines += [Style.alarming("not judged:")] + LintReport.lines(of: unread)
        }
        lines += platforms.flatMap(\.lines)
        if unjudged > 0 {
            let count = unjudged.counted("sticker was", "stickers were")
            lines.append(
                "\(count) made before pixels were judged; \(stickerctl: "redo --outdated") makes them again"
            )
        }
        return lines
    }
}
