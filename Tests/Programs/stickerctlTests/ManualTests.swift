import Foundation
import StickerConfiguration
import StickerTestSupport
import StickerValues
import Testing

/// The manual pages say what the programs do: every verb, option and key, and nothing else.
struct ManualTests {
    /// The options of every verb.
    private static let common: Set<String> = ["personal", "config", "version", "help"]

    private func page(_ name: String) throws -> [String] {
        String(decoding: try Repository.data("deploy/man/\(name)"), as: UTF8.self)
            .split(separator: "\n").map(String.init)
    }

    /// The commands and options of a program, as its parser prints them.
    private func command(_ program: String) throws -> [String: Any] {
        let answer = try Operator.run(program, ["--experimental-dump-help"])
        return try #require(try answer.object()["command"] as? [String: Any])
    }

    private func options(of command: [String: Any]) -> Set<String> {
        let arguments = command["arguments"] as? [[String: Any]] ?? []
        let names = arguments.flatMap { $0["names"] as? [[String: String]] ?? [] }
        return Set(names.filter { $0["kind"] == "long" }.compactMap { $0["name"] })
    }

    /// The options that these lines of a page describe.
    private func described(_ lines: some Sequence<String>) -> Set<String> {
        Set(
            lines.filter { $0.hasPrefix(".It Fl -") }
                .compactMap { $0.dropFirst(8).split(separator: " ").first.map(String.init) })
    }

    @Test func daemonsPageDescribesItsOptions() throws {
        #expect(try described(page("stickerd.8")) == options(of: command("stickerd")))
    }

    /// The verbs of a command. One with verbs of its own is called by the first of them, unless another is
    /// named.
    private func verbs(of command: [String: Any]) -> [(name: String, verb: [String: Any])] {
        (command["subcommands"] as? [[String: Any]] ?? []).flatMap { verb in
            let name = verb["commandName"] as? String ?? ""
            guard name != "help" else { return [(name: String, verb: [String: Any])]() }
            let more = verbs(of: verb)
            guard let first = more.first else { return [(name, verb)] }
            return [(name, first.verb)] + more.dropFirst().map { ("\(name) \($0.name)", $0.verb) }
        }
    }

    @Test func operatorsPageDescribesEveryVerbWithItsOptions() throws {
        var sections: [String: [String]] = [:]
        var verb: String?
        for line in try page("stickerctl.1") {
            if line.hasPrefix(".Ss ") {
                // The verb's words come before those in capitals, which mark its arguments.
                verb = line.split(separator: " ").dropFirst()
                    .prefix { $0.first?.isLowercase == true }.joined(separator: " ")
                sections[verb ?? ""] = []
            } else if line.hasPrefix(".Sh ") {
                verb = nil
            } else if let verb {
                sections[verb]?.append(line)
            }
        }

        let verbs = verbs(of: try command("stickerctl"))

        #expect(Set(verbs.map(\.name)) == Set(sections.keys))
        for (name, verb) in verbs {
            let expected = options(of: verb).subtracting(Self.common)
            #expect(described(sections[name] ?? []) == expected, "\(name)")
        }
        #expect(try described(page("stickerctl.1")).isSuperset(of: Self.common))
    }

    static func documents() throws -> [String] {
        let (pages, designs) = (
            try Repository.documents(in: "docs"), try Repository.documents(in: "docs/design")
        )
        return [
            "README.md", "ARCHITECTURE.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md",
            "deploy/man/stickerctl.1", "deploy/man/stickerd.8", "deploy/man/stickerd-config.5",
            "deploy/man/stickerd-web.8",
        ] + pages + designs
    }

    /// In a span of code that begins with the program's name; one of several words must be all known.
    @Test(arguments: try documents())
    func documentsNameVerbsAndOptionsThatThereAre(document: String) throws {
        let verbs = Dictionary(
            verbs(of: try command("stickerctl")).map { ($0.name, options(of: $0.verb)) },
            uniquingKeysWith: { $1 })
        let text = String(decoding: try Repository.data(document), as: UTF8.self)

        let commands = text.matches(of: /(?:`|\n(?:\.Ql |\.Dl )?|sudo )stickerctl ([^`\n|]+)/)

        #expect(!commands.isEmpty || document.hasPrefix("docs/"))
        for command in commands.map({ String($0.1) }) {
            let words = command.split(separator: " ").map(String.init)
            let name = words.first { !$0.hasPrefix("-") } ?? ""
            // In prose a name is followed by other words than a verb.
            guard name.wholeMatch(of: /[a-z-]+/) != nil, name != "verb" else { continue }
            let longer = words.count > 1 ? "\(name) \(words[1])" : name
            let known = try #require(verbs[longer] ?? verbs[name], "\(document): \(command)")
            for option in words.compactMap({ $0.firstMatch(of: /^--([a-z-]+)/)?.1 }) {
                #expect(known.union(Self.common).contains(String(option)), "\(command)")
            }
        }
    }

    @Test func configurationsPageDescribesEveryKey() throws {
        let keys = try page("stickerd-config.5").filter { $0.hasPrefix(".It Va ") }
            .map { String($0.dropFirst(7)) }

        let compose = Mirror(reflecting: ComposeConfiguration()).children
            .map { "web.compose.\($0.label ?? "")" }
        let web =
            Mirror(reflecting: WebConfiguration()).children
            .map { "web.\($0.label ?? "")" }.filter { $0 != "web.compose" } + compose
        let console = Mirror(reflecting: ConsoleConfiguration()).children
            .map { "console.\($0.label ?? "")" }
        let personal = Mirror(reflecting: PersonalConfiguration()).children
            .map { "personal.\($0.label ?? "")" }
        #expect(
            Set(keys)
                == Set(Configuration().settings.keys)
                .union(["categories", "targets"] + web + console + personal))
        #expect(keys.count == Set(keys).count)
    }

    @Test(arguments: [
        "stickerd.8", "stickerctl.1", "stickerd-config.5", "stickerd-words.5", "stickerd-web.8",
        "stickerd-templates.5", "stickerd-net.8", "stickerd-console.8",
    ])
    func pageHasTheUsualSections(name: String) throws {
        let page = try page(name)

        for section in ["NAME", "DESCRIPTION", "EXAMPLES", "SEE ALSO"] {
            #expect(page.contains(".Sh \(section)"))
        }
        #expect(page.allSatisfy { $0.count <= 100 })
    }

    @Test func exitCodesAreThoseOfTheHelp() throws {
        for (program, name) in [("stickerd", "stickerd.8"), ("stickerctl", "stickerctl.1")] {
            let help = try Operator.run(program, ["--help"]).output
            #expect(help.contains("Exit codes: 0 fine, 1 failed, 2 wrong usage, 3"))
            for code in 0...3 { #expect(try page(name).contains(".It \(code)")) }
        }
        #expect(try Operator.run("stickerd", ["--help"]).output.contains("78 faulty configuration"))
        #expect(try page("stickerd.8").contains(".It 78"))
    }
}
