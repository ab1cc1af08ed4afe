import Foundation
import StickerConfiguration
import StickerTestSupport
import StickerValues
import Testing

/// The statements of the documents about the repository are true.
struct DocumentsTests {
    static func documents() throws -> [String] {
        let (pages, designs) = (
            try Repository.documents(in: "docs"), try Repository.documents(in: "docs/design")
        )
        return [
            "README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md",
        ] + pages + designs
    }

    @Test(arguments: try documents())
    func everyRelativeLinkLeadsSomewhere(document: String) throws {
        let text = try Document(document).prose

        let targets = text.matches(of: /\]\(([^)\s]+)\)/).map { String($0.1) }

        for target in targets where !target.contains("://") && !target.hasPrefix("#") {
            let path = Self.path(of: target, from: document)
            #expect(
                FileManager.default.fileExists(atPath: Repository.path(path)),
                "\(document) links to \(target)")
        }
        for target in targets where target.contains("#") && !target.contains("://") {
            let parts = target.split(separator: "#", omittingEmptySubsequences: false)
            let other = try Document(
                parts[0].isEmpty ? document : Self.path(of: target, from: document))
            #expect(other.anchors.contains(String(parts[1])), "\(document) links to \(target)")
        }
    }

    /// The target of a link, as a path from the top of the repository.
    private static func path(of target: String, from document: String) -> String {
        var parts = document.split(separator: "/").dropLast().map(String.init)
        for part in target.prefix(while: { $0 != "#" }).split(separator: "/") where part != "." {
            if part == ".." { _ = parts.popLast() } else { parts.append(String(part)) }
        }
        return parts.joined(separator: "/")
    }

    @Test(arguments: try documents())
    func everyPathExists(document: String) throws {
        let files = try Repository.files()

        let paths = try Document(document).paths

        for path in paths {
            let isThere =
                path.contains("/")
                ? files.contains(path) || files.contains("Sources/\(path)")
                : files.contains { $0 == path || $0.hasSuffix("/\(path)") }
            #expect(isThere, "\(document) names \(path)")
        }
    }

    /// Between releases the first section is `Unreleased`, and the next one is of the version that programs name.
    @Test func changelogNamesThisRelease() throws {
        let text = try String(
            contentsOfFile: Repository.path("CHANGELOG.md"), encoding: .utf8)

        let sections = text.matches(of: /(?m)^## (.+)$/).map { String($0.1) }
        let releases = sections.filter { $0 != "Unreleased" }

        let first = try #require(releases.first?.wholeMatch(of: /(\S+) — \d{4}-\d\d-\d\d/))
        #expect(first.1 == Stickerd.version)
    }

    /// Without paths and links the two tests above would prove nothing.
    @Test func architectureNamesManyFiles() throws {
        let architecture = try Document("ARCHITECTURE.md")

        #expect(architecture.paths.count > 50)
        #expect(try Document("README.md").prose.contains("](ARCHITECTURE.md"))
    }

    @Test func architectureLinksEveryDesignDocument() throws {
        let architecture = try Document("ARCHITECTURE.md").prose

        let designs = try Repository.documents(in: "docs/design")

        #expect(designs.count > 5)
        for design in designs { #expect(architecture.contains("](\(design))"), "\(design)") }
    }

    /// Both are read from beginning to end, so they stay short.
    @Test func firstDocumentsAreShort() throws {
        let words = try Document("ARCHITECTURE.md").text.split(whereSeparator: \.isWhitespace)

        #expect(words.count <= 3500)
        #expect(try Repository.data("README.md").count <= 10_000)
    }

    @Test func everyPromiseNamesTestsThatExist() throws {
        let code = try Repository.swiftFiles(below: "Tests")
        let tests = Set(
            code.components(separatedBy: "@Test").dropFirst().compactMap { test in
                test.firstMatch(of: /\bfunc (\w+)\(/).map { String($0.1) }
            })

        let promises = try Document("docs/promises.md").promises()

        #expect(promises.count > 150)
        for (promise, names) in promises {
            #expect(!names.isEmpty, "no test is named for: \(promise)")
            for name in names {
                let isThere = tests.contains(name)
                #expect(isThere, "\(promise): no test \(name)")
            }
        }
    }

    @Test func jobStatesAreDrawnAsInTheCode() throws {
        let code = String(
            decoding: try Repository.data("Sources/Model/Values/Jobs/JobLifecycle.swift"),
            as: UTF8.self)

        let comments = code.split(separator: "\n").filter { $0.hasPrefix("/// ") }
        let drawing = comments.filter { $0.contains(/[─▲│]/) }.map { $0.dropFirst("/// ".count) }

        let architecture = try Document("ARCHITECTURE.md")
        #expect(drawing.count > 3)
        #expect(architecture.text.contains(drawing.joined(separator: "\n")))
    }

    @Test(arguments: Refusal.Reason.allCases)
    func everyRefusalIsExplained(reason: Refusal.Reason) throws {
        #expect(try Document("docs/operations.md").text.contains("\n| `\(reason.rawValue)` | "))
    }

    @Test func documentsListTheFormatsThatAreRead() throws {
        let names = ImageFormat.allCases.map(\.name).joined(separator: ", ")

        #expect(try Document("README.md").prose.contains(": \(ImageFormat.namesOfAll)."))
        #expect(try Document("deploy/man/stickerd.8").text.contains("(\(names))"))
    }

    /// The second one may be in the tests; one alone is a seam through which a lower target calls a higher one.
    @Test func protocolsHaveTwoConformances() throws {
        let code = try Repository.swiftFiles(below: ["Sources", "Tests"])
        var protocols: [(name: String, path: String)] = []
        for (path, text) in code where path.hasPrefix("Sources/") {
            let heads = text.matches(of: /\n *(?:\w+ )?protocol (\w+)/)
            protocols += heads.map { (String($0.1), path) }
        }
        var conformances: [String: [String]] = [:]
        for (path, text) in code {
            let heads = text.matches(
                of: /\b(?:struct|class|enum|actor|extension) [\w.]+(?:<[^>{]*>)?\s*:\s*([^{]*)\{/)
            for head in heads {
                let list = head.1.components(separatedBy: " where ")[0]
                for name in list.split(whereSeparator: { !$0.isLetter && !$0.isNumber }) {
                    conformances[String(name), default: []].append(path)
                }
            }
        }

        let architecture = try Document("ARCHITECTURE.md").prose
        #expect(protocols.count > 10)
        for (name, path) in protocols {
            let places = conformances[name] ?? []
            let isSeam = places.count == 1 && Self.module(of: places[0]) != Self.module(of: path)
            #expect(places.count > 1 || isSeam, "\(name) in \(path) has \(places.count)")
            if places.count(where: { $0.hasPrefix("Sources/") }) < 2 {
                #expect(architecture.contains("`\(name)`"), "ARCHITECTURE.md: \(name)")
            }
        }
    }

    /// The folder of the module that a file belongs to. A group of one module has none for it.
    private static func module(of path: String) -> String {
        let folders = path.split(separator: "/")
        let isGroup = folders[1] != "Kit"
        return folders.prefix(isGroup ? 3 : 2).joined(separator: "/")
    }

    @Test func documentsGiveTheDropInForANetwork() throws {
        let example = String(
            decoding: try Repository.data("systemd/examples/web-network.conf"), as: UTF8.self)
        let unit = String(
            decoding: try Repository.data("systemd/stickerd-web.service"), as: UTF8.self)

        let settings = example.split(separator: "\n").filter { !$0.hasPrefix("#") }
            .joined(separator: "\n")

        #expect(settings == "[Service]\nIPAddressDeny=")
        #expect(unit.contains("\nIPAddressDeny=any\n"))
        let page = try Document("deploy/man/stickerd-web.8").text
        let section = try #require(
            page.components(separatedBy: "\n.Sh ").first { $0.hasPrefix("A NETWORK\n") })
        #expect(section.contains(".Bd -literal\n\(settings)\n.Ed"))
        let serving = try Document("docs/serving.md").prose
        #expect(serving.contains("section A NETWORK of stickerd-web(8)"))
    }

    /// A copy of it in a document would be tested by nobody.
    @Test func documentsLeadToTheSiteThatIsTested() throws {
        let site = "deploy/nginx/stickers.conf"
        let check = String(decoding: try Repository.data("deploy/check-nginx.py"), as: UTF8.self)

        #expect(check.contains(site))
        #expect(String(decoding: try Repository.data(site), as: UTF8.self).contains("immutable"))
        #expect(try Document("docs/serving.md").prose.contains("](../\(site))"))
        for document in try Self.documents() {
            #expect(try !Document(document).text.contains("proxy_pass"), "\(document)")
        }
    }

    @Test(arguments: try Repository.files().filter { $0.hasSuffix(".docc") }.sorted())
    func landingPageNamesWhatIsPublic(catalog: String) throws {
        let folder = catalog.split(separator: "/").dropLast().joined(separator: "/")
        let target = String(catalog.split(separator: "/").last?.prefix { $0 != "." } ?? "")
        let code = try Repository.swiftFiles(below: folder)

        let symbols = try Document("\(catalog)/\(target).md").symbols

        #expect(symbols.count > 2)
        for symbol in symbols {
            let declaration = try Regex("public (?:[a-z]+ )*\(symbol)\\b")
            #expect(code.contains(declaration), "\(target) has no public \(symbol)")
        }
    }

    @Test func configurationsPageGivesEveryKeyOfTheFileWithItsDefault() throws {
        let file = try JSONSerialization.jsonObject(with: Repository.data("config.json"))

        let items = try Document("deploy/man/stickerd-config.5").configurationItems()

        #expect(Set(items.map(\.key)) == Set(Self.keys(of: file, below: "")))
        #expect(Set(items.map(\.key)).count == items.count)
        for item in items {
            // The file lets the console write to its drop, which an upgrade must not do.
            let expected =
                item.key == "console.drops" ? NSArray() : Self.value(item.key, in: file)
            #expect(item.defaultValue == expected, "the default of \(item.key)")
        }
    }

    @Test func operationsGivesTheDefaultsOfTheConfigurationFile() throws {
        let file = try JSONSerialization.jsonObject(with: Repository.data("config.json"))

        let rows = try Document("docs/operations.md").configurationRows()

        #expect(rows.count > 5)
        #expect(Set(rows.map(\.key)).count == rows.count)
        for row in rows {
            let expected = try #require(Self.value(row.key, in: file), "no key \(row.key)")
            #expect(row.defaultValue == expected, "the default of \(row.key)")
        }
    }

    /// The paths of all values; lists and the categories, which have names of their own, are values.
    private static func keys(of value: Any, below path: String) -> [String] {
        let isNamed = [
            "categories", "sticker.words", "targets", "web.upstreams", "console.people",
        ].contains(path)
        guard let members = value as? [String: Any], !isNamed
        else { return [path] }
        return members.flatMap { key, member in
            keys(of: member, below: path.isEmpty ? key : "\(path).\(key)")
        }
    }

    private static func value(_ path: String, in file: Any) -> NSObject? {
        path.split(separator: ".").reduce(file as? NSObject) { value, key in
            (value as? NSDictionary)?[String(key)] as? NSObject
        }
    }
}

/// One of the documents of the repository.
private struct Document {
    let text: String

    init(_ name: String) throws {
        text = String(decoding: try Repository.data(name), as: UTF8.self)
    }

    /// The text without its blocks of code.
    var prose: String {
        text.components(separatedBy: "```").enumerated()
            .filter { $0.offset.isMultiple(of: 2) }.map(\.element).joined()
    }

    /// The anchors of headings: lower case, blanks as dashes, no punctuation.
    var anchors: Set<String> {
        let headings = prose.split(separator: "\n").filter { $0.hasPrefix("#") }
        return Set(
            headings.map { heading in
                heading.drop { $0 == "#" || $0 == " " }.lowercased().replacing(" ", with: "-")
                    .filter { $0.isLetter || $0.isNumber || $0 == "-" || $0 == "_" }
            })
    }

    /// Words in backticks that name files or folders of the repository.
    ///
    /// Those that begin with a slash, and those below the folders of a running stickerd, are of the
    /// machine and not of the repository.
    var paths: Set<String> {
        let words = prose.matches(of: /`([A-Za-z0-9_+.\/-]+)`/).map { String($0.1) }
        let ofMachine = [
            "/", "./", "../", "drop/", "out/", "state/", "run/", ".build", ".github",
            "category.json", "current.json",
        ]
        return Set(
            words.filter { word in
                let isPath = word.contains("/") || word.contains(Self.nameOfAFile)
                return isPath && !ofMachine.contains(where: word.hasPrefix)
            }.map { $0.hasSuffix("/") ? String($0.dropLast()) : $0 })
    }

    private static var nameOfAFile: Regex<Substring> {
        /^[A-Za-z0-9_+-]+\.(?:swift|md|sh|json|service|c|h|supp)$/
    }

    /// The symbols that a landing page lists, without their modules and arguments.
    var symbols: [String] {
        text.matches(of: /\n- ``(?:\w+\/)?(\w+)[^`]*``/).map { String($0.1) }
    }

    /// The rows of all tables, apart from their headings.
    func promises() -> [(promise: String, tests: [String])] {
        let rows = text.matches(of: /\n\| ([^|]+) \| ([^|]*)\|(?=\n)/)
        return rows.map { (String($0.1), $0.2.matches(of: /`(\w+)`/).map { String($0.1) }) }
            .filter { $0.0 != "Promise" }
    }

    /// The keys that a manual page describes, each with its default as JSON: `Default: 1; range: 0 to 9.`
    func configurationItems() throws -> [(key: String, defaultValue: NSObject)] {
        try text.components(separatedBy: "\n.It Va ").dropFirst().map { item in
            let lines = item.components(separatedBy: "\n").prefix { $0 != ".El" }
            let key = try #require(lines.first)
            let defaults = lines.compactMap {
                $0.wholeMatch(of: /Default: (.+?)(?:; range: .+)?\./)?.1
            }
            #expect(defaults.count == 1, "the defaults of \(key)")
            return (key, try Self.value(try #require(defaults.first)))
        }
    }

    /// The rows of the tables below the heading "Configuration": the key, and its default as JSON.
    func configurationRows() throws -> [(key: String, defaultValue: NSObject)] {
        let section = text.components(separatedBy: "\n## ").first {
            $0.hasPrefix("Configuration\n")
        }
        let lines = try #require(section).split(separator: "\n")
        return try lines.compactMap { line in
            guard let match = line.wholeMatch(of: /\| `([A-Za-z.]+)` \| `([^`]*)` \|.*/) else {
                return nil
            }
            return (String(match.1), try Self.value(match.2))
        }
    }

    private static func value(_ json: Substring) throws -> NSObject {
        let value = try JSONSerialization.jsonObject(
            with: Data(json.utf8), options: .fragmentsAllowed)
        return try #require(value as? NSObject)
    }
}

extension Repository {
    /// Every file and folder of the repository, apart from what is built.
    fileprivate static func files() throws -> Set<String> {
        var files: Set<String> = []
        let top = try FileManager.default.contentsOfDirectory(atPath: path(""))
        for name in top where !name.hasPrefix(".build") && name != ".git" {
            files.insert(name)
            let below = FileManager.default.enumerator(atPath: path(name))
            while let file = below?.nextObject() as? String { files.insert("\(name)/\(file)") }
        }
        return files
    }

    /// The text of all Swift files below a folder.
    fileprivate static func swiftFiles(below folder: String) throws -> String {
        try swiftFiles(below: [folder]).map(\.text).joined(separator: "\n")
    }

    /// All Swift files below some folders.
    fileprivate static func swiftFiles(
        below folders: [String]
    ) throws -> [(path: String, text: String)] {
        try files().filter { path in
            path.hasSuffix(".swift") && folders.contains { path.hasPrefix("\($0)/") }
        }.map { ($0, String(decoding: try data($0), as: UTF8.self)) }
    }
}
