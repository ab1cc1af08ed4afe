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
        do {
            noteUntrustedFile()
            var file = try ConfigurationFile.load(
                flag: config, environment: ProcessInfo.processInfo.environment,
                workingFolder: FileManager.default.currentDirectoryPath,
                isTrusted: Self.trustsWorkingFolder
            ).readingFiles()
            if personal { file = try file.ofUploads() }
            if isReload {
                try file.configuration.checkSmart()
            } else {
                try file.configuration.checkSmartButLanguages()
            }
            return file
        } catch {
            for fault in error.faults { complain("\(fault)") }
            throw ExitCode(1)
        }
    }

    /// Loads only the folders of the configuration: a faulty file must not hide a running daemon.
    ///
    /// - Throws: exit code 1 if there is no such file.
    func loadFolders() throws -> (file: ConfigurationFile, faults: [JSONFault]) {
        do {
            return try foldersOrFaults()
        } catch {
            for fault in error.faults { complain("\(fault)") }
            throw ExitCode(1)
        }
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
        let folder = FileManager.default.currentDirectoryPath
        let environment = ProcessInfo.processInfo.environment
        let own = ConfigurationFile.place(
            flag: config, environment: environment, workingFolder: folder)
        let used = ConfigurationFile.place(
            flag: config, environment: environment, workingFolder: folder,
            isTrusted: Self.trustsWorkingFolder)
        guard own != used else { return false }
        complain("root does not read ./config.json by itself; if you mean it: --config config.json")
        return true
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
