import ArgumentParser
import FoundationEssentials
import Glibc
import StickerConfiguration
import StickerSmart
import StickerStore
import StickerSystem
import StickerValues
import StickerWorkers

/// `stickerctl check`: lists all faults of the configuration at once.
struct CheckCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check", abstract: "Checks the configuration and the folders it names.")

    @OptionGroup var shared: SharedOptions

    @Flag(help: "Print JSON.")
    var json = false

    func run() throws {
        var report = CheckReport()
        try shared.refuseUntrustedFile()
        let file = report.noting { try shared.namedFile() }
        if let file { judge(file, &report) }
        if json { try printJSON(report) } else { report.tell() }
        if !report.faults.isEmpty { throw ExitCode(1) }
    }

    /// Makes all checks, so that one fault hides no other.
    private func judge(_ named: ConfigurationFile, _ report: inout CheckReport) {
        let whole = report.noting { try named.readingFiles() }
        var file = whole ?? named
        report.origin = file.origin
        let servers = Self.serverReport(file.configuration)
        report.faults += servers.faults
        report.noting { try file.configuration.checkPersonal(RealFolder.areNested) }
        if shared.personal {
            guard let uploads = report.noting({ try file.ofUploads() }) else { return }
            file = uploads
        }
        let configuration = file.configuration
        report.configuration = configuration
        report.missing =
            report.noting { try Folders.check(configuration, makesMissing: false) } ?? []
        report.noting { try configuration.checkSmart() }
        // Files of a configuration that could not be read cannot be tested.
        let probable = report.faults.isEmpty ? report.noting { try tryFiles(configuration) } : nil
        let missing = report.noting {
            WorkerProgram.missingFormats(beside: try WorkerProgram.find())
        }
        report.unreadFormats = (missing ?? []).map(\.rawValue)
        report.remarks =
            servers.remarks + file.warnings.map(\.description)
            + (probable ?? []).map(\.description) + Self.remarks(on: configuration)
        do {
            try compare(configuration, &report)
        } catch {
            report.faults.append("\(error)")
        }
    }

    /// Compares with the library, if a daemon has ever run.
    private func compare(_ configuration: Configuration, _ report: inout CheckReport) throws {
        guard let store = try store(of: configuration) else { return }
        if report.missing.contains(configuration.out), try store.catalog.hasPublished {
            throw Folders.away(out: configuration.out)
        }
        report.needRestart = try restartKeys(configuration, store.operations)
        report.remarks += try remarks(on: configuration, store.packs)
    }

    private typealias Findings = (faults: [String], remarks: [String])

    /// The errors that the servers would report at their start, as far as they can be checked here.
    private static func serverReport(_ configuration: Configuration) -> Findings {
        let reports: [Findings] = [
            webReport(configuration.web), (upstreamFaults(configuration.web), []),
            personalReport(configuration.personal), consoleReport(configuration.console),
        ]
        let proxies =
            configuration.web.proxyRemarks
            + configuration.console.proxyRemarks(beside: configuration.web)
        return (reports.flatMap(\.faults), reports.flatMap(\.remarks) + proxies)
    }

    private static func webReport(_ web: WebConfiguration) -> Findings {
        guard let file = web.keysFile, isForTheServerAlone(file) else {
            return (faults { _ = try web.checkedKeys(credentials: nil) }, [])
        }
        return (
            web.exposureFaults(hasKeys: true).map(\.description),
            [remark(onUnread: file, "web.keysFile")]
        )
    }

    private static func personalReport(_ personal: PersonalConfiguration) -> Findings {
        guard personal.drop != nil else { return ([], []) }
        guard let file = personal.tokensFile else {
            let remark =
                "personal.tokensFile: is not set; stickerd-web starts only with "
                + "a credential personal.tokens"
            return ([], [remark])
        }
        if isForTheServerAlone(file) {
            return ([], [remark(onUnread: file, "personal.tokensFile")])
        }
        return (faults { _ = try personal.checkedTokens(credentials: nil) }, [])
    }

    private static func consoleReport(_ console: ConsoleConfiguration) -> Findings {
        if let file = console.tokenFile, isForTheServerAlone(file) {
            return ([], [remark(onUnread: file, "console.tokenFile")])
        }
        return (faults { _ = try console.checkedToken(credentials: nil) }, [])
    }

    /// The faults that a check finds.
    private static func faults(_ check: () throws -> Void) -> [String] {
        var report = CheckReport()
        report.noting(check)
        return report.faults
    }

    private static func remark(onUnread file: String, _ setting: String) -> String {
        "\(setting): \(file) was not checked; sudo \(stickerctl: "check") does"
    }

    /// Upstream keys that `stickerd-web` could not use, as far as that can be checked here: its service may have them
    /// as credentials.
    private static func upstreamFaults(_ web: WebConfiguration) -> [String] {
        web.upstreams.flatMap { upstream -> [String] in
            guard let file = upstream.keyFile, !isForTheServerAlone(file) else { return [] }
            return faults { _ = try upstream.key(credentials: nil) }
        }
    }

    /// Whether `stickerd-web` may be able to read a file that this user cannot: one with other permissions, or a
    /// credential of its service.
    private static func isForTheServerAlone(_ file: String) -> Bool {
        access(file, R_OK) != 0 && (errno == EACCES || file.hasPrefix("/run/credentials/"))
    }

    /// Tests the named files in a worker, as the daemon does.
    private func tryFiles(_ configuration: Configuration) throws -> [JSONFault] {
        let maker = WorkerMaking(program: try WorkerProgram.find()) { configuration.worker }
        return try maker.check(filesOf: configuration) + languages(of: configuration, maker)
    }

    /// Languages of smart stickers that no font can write.
    private func languages(
        of configuration: Configuration, _ maker: WorkerMaking
    ) throws -> [JSONFault] {
        try configuration.smartCharacters().compactMap { path, locale, characters in
            let fault = try maker.fontFault(of: characters, limits: configuration.limits)
            return fault.map { fault in
                JSONFault(
                    path: path,
                    message: "in \"\(locale)\" smart stickers keep their last picture, or are "
                        + "absent: \(fault.detail); \(fault.remedy)")
            }
        }
    }

    /// The database; `nil` if no daemon has ever run.
    private func store(of configuration: Configuration) throws -> LibraryStore? {
        try StateFolder.becomeOwner(of: configuration.state)
        let path = "\(configuration.state)/\(LibraryStore.fileName)"
        // A missing or foreign database is not a fault of the configuration.
        return try? LibraryStore(path: path, access: .reader)
    }

    /// Changes that a reload would not apply.
    private func restartKeys(
        _ configuration: Configuration, _ operations: Operations
    ) throws -> [String] {
        guard let record = try operations.configurationRecord() else { return [] }
        return Configuration.changes(from: record.settings, to: configuration.settings)
            .filter(\.needsRestart).map(\.key)
    }
}

extension CheckCommand {
    /// Settings that contradict each other although each is valid.
    private static func remarks(on configuration: Configuration) -> [String] {
        let all = [configuration.sticker] + configuration.categories.values
        let kept = Set(all.flatMap(\.packs))
        var remarks = configuration.publish.libraryPacks.filter { !kept.contains($0) }.map {
            "publish.libraryPacks: no category has packs for \($0.rawValue); "
                + "add \($0.rawValue) to sticker.packs"
        }
        if configuration.publish.publicBaseURL.isEmpty, kept.contains(.imgly) {
            remarks.append(
                "sticker.packs: imgly makes no packs while pictures have no address; "
                    + "set publish.publicBaseURL")
        }
        return remarks
    }

    /// Settings for categories that do not exist, perhaps by a typing mistake, or that are overridden by others under
    /// the category's id.
    private func remarks(on configuration: Configuration, _ packs: PackRecords) throws -> [String] {
        let names = try packs.packedCategories().map(\.names)
        guard !names.isEmpty else { return [] }
        let keys = configuration.categories.keys.sorted()
        let unknown = keys.filter { key in
            key != configuration.defaultCategory
                && !names.contains { $0.entry(in: [key: ()], defaultCategory: "") != nil }
        }.map { "categories.\($0): nothing is published of a category of this name" }
        let hidden = names.flatMap { names in
            let own = keys.filter { names.entry(in: [$0: ()], defaultCategory: "") != nil }
            let first = names.entry(
                in: Dictionary(own.map { ($0, $0) }) { $1 }, defaultCategory: "")
            return own.filter { $0 != first }.map {
                "categories.\($0): categories.\(first ?? "") is of the same category, and counts"
            }
        }
        return unknown + hidden
    }
}

/// The output of `check --json`.
private struct CheckReport: Encodable {
    var origin: String?
    var faults: [String] = []
    /// Folders that do not exist.
    var missing: [String] = []
    /// Keys whose new values a reload would not apply.
    var needRestart: [String] = []
    /// Formats whose worker program is not installed.
    var unreadFormats: [String] = []
    /// Valid settings that may differ from the intention.
    var remarks: [String] = []
    var configuration: Configuration?

    private enum CodingKeys: CodingKey {
        case origin, faults, missing, needRestart, unreadFormats, remarks
    }

    /// Collects the faults of a check.
    ///
    /// - Returns: its result; `nil` if there are faults.
    @discardableResult
    mutating func noting<Value>(_ check: () throws -> Value) -> Value? {
        do {
            return try check()
        } catch let error as ConfigurationError {
            faults += error.faults.map(\.description).filter { !faults.contains($0) }
        } catch {
            if !faults.contains("\(error)") { faults.append("\(error)") }
        }
        return nil
    }

    func tell() {
        for fault in faults { complain(fault) }
        guard faults.isEmpty, let origin, let configuration else { return }
        let notes = remarks.count + needRestart.count + (unreadFormats.isEmpty ? 0 : 1)
        let state = notes == 0 ? "fine" : "no faults, \(notes.counted("note", "notes")) below"
        print("\(FileName.escaped(origin)): \(state)")
        for drop in configuration.drops { tell("drop", drop.path) }
        tell("out", configuration.out)
        tell("state", configuration.state)
        if let profile = configuration.color.cmykProfile { tell("profile", profile.path) }
        if !unreadFormats.isEmpty {
            print("  not read: \(unreadFormats.joined(separator: ", ")); install all of stickerd")
        }
        for remark in remarks { print("  \(FileName.escaped(remark))") }
        for key in needRestart { print("  \(key): changed, needs a restart of stickerd") }
    }

    private func tell(_ role: String, _ folder: String) {
        let isMissing = missing.contains(folder)
        print(
            "  \(role.padded(to: 8))\(FileName.escaped(folder))"
                + (isMissing ? Style.waiting("  (missing; stickerd makes it)") : ""))
    }
}
