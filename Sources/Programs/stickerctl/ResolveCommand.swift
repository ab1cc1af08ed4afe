import ArgumentParser
import StickerConfiguration
import StickerPackFiles
import StickerPacks
import StickerStore
import StickerValues

/// `stickerctl resolve GROUP NAME`: shows how TUIKit's clients find a received sticker.
struct ResolveCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "resolve", abstract: "Shows which file TUIKit shows for a message.",
        discussion: """
            Searches the last export for tuikit, as each client does. Ends with 1 if there is no \
            such group, or no client finds the name.
            """)

    @OptionGroup var shared: SharedOptions

    @Flag(help: "Print JSON.")
    var json = false

    @Argument(help: "The number of a group, or a category, by id.")
    var group: String

    @Argument(help: "The name in the message, or a sticker, by id.")
    var name: String

    func run() throws {
        let out = try shared.loadFolders().file.configuration.out
        let packs = try shared.openStore(.reader).packs
        let bundle = try complaining {
            try PackBooks(packs, PackShelf(out: out)).bundle(of: nil, for: Platforms.tuikit)
        }
        let resolver = TUIKitResolver(bundle.packs)
        guard let message = resolver.message(group: group, name: name) else {
            complain(
                "no group \(FileName.escaped(group)) was exported; "
                    + "\(stickerctl: "export CATEGORY --for tuikit --to DIR")")
            throw ExitCode(1)
        }
        let report = ResolveReport(message, resolver, out: out)
        if json { try printJSON(report) } else { for line in report.lines { print(line) } }
        if report.clients.allSatisfy({ $0.file == nil }) { throw ExitCode(1) }
    }
}

/// The result of each client for a message.
private struct ResolveReport: Encodable {
    struct Line: Encodable {
        let client: TUIKitResolver.Client
        let group: Int
        /// The form that the client reads; absent if it shows its placeholder.
        let file: String?
        /// The published file.
        let path: String?
    }

    let message: FaceMessage
    let clients: [Line]

    init(_ message: FaceMessage, _ resolver: TUIKitResolver, out: String) {
        self.message = message
        clients = TUIKitResolver.Client.allCases.map { client in
            let outcome = resolver.outcome(of: message, on: client)
            return Line(
                client: client, group: outcome.group, file: outcome.file,
                path: outcome.picture.map { "\(out)/\($0.path)" })
        }
    }

    var lines: [String] {
        let body = (try? jsonText(message)) ?? ""  // numbers and texts are always JSON
        return clients.flatMap { line in
            let other =
                line.group == message.content.index ? "" : " (takes it for group \(line.group))"
            let shown = line.file.map { "\($0) = \(line.path ?? "")" } ?? "placeholder"
            return entry(line.client.rawValue, FileName.escaped(shown + other))
        } + entry("message", FileName.escaped(body))
    }
}
