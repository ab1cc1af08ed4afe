import ArgumentParser
import FoundationEssentials
import Glibc
import StickerConfiguration
import StickerProgram
import StickerSmart
import StickerStore
import StickerValues

/// The options of every command; the root command has them too, so they may precede or follow the command's
/// name.
struct SharedOptions: ParsableArguments {
    @Option(help: .configuration)
    var config: String?

    @Flag(help: "The library of users' uploads, see personal.drop.")
    var personal = false

    /// Loads the configuration from its file, with its profile.
    ///
    /// - Parameter isReload: whether an unknown language is a fault, as for a reload.
    /// - Returns: the file.
    /// - Throws: exit code 1 after printing every fault.
    func load(isReload: Bool = false) throws -> ConfigurationFile {
        try complaining {
            noteUntrustedFile()
            var file = try namedFile().readingFiles()
            if personal { file = try file.ofUploads() }
            if isReload {
                try file.configuration.checkSmart()
            } else {
                try file.configuration.checkSmartButLanguages()
            }
            return file
        }
    }

    /// The configuration in force, without the contents of the files that it names.
    func namedFile() throws(ConfigurationError) -> ConfigurationFile {
        try ConfigurationFile.load(
            flag: config, environment: ProcessInfo.processInfo.environment,
            workingFolder: FileManager.default.currentDirectoryPath,
            isTrusted: Self.trustsWorkingFolder)
    }

    /// Loads only the folders of the configuration: a faulty file must not hide a running daemon.
    ///
    /// - Throws: exit code 1 if there is no such file.
    func loadFolders() throws -> (file: ConfigurationFile, faults: [JSONFault]) {
        try complaining { try foldersOrFaults() }
    }

    /// The same without a complaint.
    ///
    /// - Throws: `ConfigurationError` if there is no such file.
    func foldersOrFaults() throws(ConfigurationError) -> (
        file: ConfigurationFile, faults: [JSONFault]
    ) {
        var (file, faults) = try ConfigurationFile.loadFolders(
            flag: config, environment: ProcessInfo.processInfo.environment,
            workingFolder: FileManager.default.currentDirectoryPath,
            isTrusted: Self.trustsWorkingFolder)
        if personal { file = try file.ofUploads() }
        return (file, faults)
    }

    /// Root's current folder may be one where anyone can leave a `config.json`, for example a drop.
    static var trustsWorkingFolder: Bool { geteuid() != 0 }

    /// Ends a command about the configuration itself if an untrusted file is ignored: the answer would be about another
    /// configuration.
    ///
    /// - Throws: exit code 1 after printing a line about it.
    func refuseUntrustedFile() throws {
        if noteUntrustedFile() { throw ExitCode(1) }
    }

    /// Reports a file in the current folder that is not the one in force.
    ///
    /// - Returns: whether there is one.
    @discardableResult
    func noteUntrustedFile() -> Bool {
        guard place(isTrusted: true) != place(isTrusted: Self.trustsWorkingFolder) else {
            return false
        }
        complain("root does not read ./config.json by itself; if you mean it: --config config.json")
        return true
    }

    /// The path of the configuration; `nil` if there is no file.
    func place(isTrusted: Bool) -> String? {
        ConfigurationFile.place(
            flag: config, environment: ProcessInfo.processInfo.environment,
            workingFolder: FileManager.default.currentDirectoryPath, isTrusted: isTrusted)
    }

    /// Whether the user may read the job store of the configuration, if there is one.
    var canReadStore: Bool {
        guard let state = try? loadFolders().file.configuration.state else { return false }
        return Glibc.access("\(state)/\(LibraryStore.fileName)", R_OK) == 0
    }

    /// Opens the job store of the configuration, as the user who owns the state folder.
    ///
    /// - Throws: exit code 1 after printing the error in one line.
    func openStore(_ access: StoreAccess) throws -> LibraryStore {
        noteUntrustedFile()
        let (file, faults) = try loadFolders()
        let configuration = file.configuration
        if Glibc.access(configuration.state, R_OK | X_OK) != 0, errno == EACCES {
            complain(
                "\(configuration.state) is accessible only to stickerd's own user; "
                    + "run: sudo \(CommandLine.arguments.joined(separator: " "))")
            throw ExitCode(1)
        }
        do {
            try StateFolder.becomeOwner(of: configuration.state)
            return try LibraryStore(
                path: "\(configuration.state)/\(LibraryStore.fileName)", access: access,
                policy: StorePolicy(configuration))
        } catch {
            complain("\(error)")
            // Its folders may differ from those in the file.
            for fault in faults { complain("\(file.origin): \(fault)") }
            throw ExitCode(1)
        }
    }
}

/// Prints a line to standard error.
func complain(_ text: String) {
    let bytes = Array((text + "\n").utf8)
    _ = write(2, bytes, bytes.count)
}

/// Prints the error of `body`, a line for each fault.
///
/// - Returns: the result of `body`.
/// - Throws: exit code 1, or the one that `body` throws after a complaint.
func complaining<Result>(_ body: () throws -> Result) throws -> Result {
    do {
        return try body()
    } catch let code as ExitCode {
        throw code
    } catch {
        complain("\(error)")
        throw ExitCode(1)
    }
}

/// Prints a line immediately, even into a pipe.
func say(_ line: String) {
    let bytes = Array((line + "\n").utf8)
    _ = write(1, bytes, bytes.count)
}

/// Prints any value as JSON with sorted keys.
func printJSON(_ value: some Encodable) throws {
    print(try jsonText(value, [.prettyPrinted]))
}

/// Encodes any value as JSON with sorted keys.
func jsonText(
    _ value: some Encodable, _ formatting: JSONEncoder.OutputFormatting = []
) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = formatting.union([.sortedKeys, .withoutEscapingSlashes])
    return String(decoding: try encoder.encode(value), as: UTF8.self)
}
