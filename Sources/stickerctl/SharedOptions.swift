import ArgumentParser
import FoundationEssentials
import Glibc
import StickerModel
import StickerStore

/// What every verb takes; root and verbs share it, so the option may stand before or behind the verb.
struct SharedOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The configuration.", valueName: "file"))
    var config: String?

    /// The configuration in force.
    ///
    /// - Throws: exit code 1 after printing every fault.
    func load() throws -> ConfigurationFile {
        do {
            return try ConfigurationFile.load(
                flag: config, environment: ProcessInfo.processInfo.environment,
                workingFolder: FileManager.default.currentDirectoryPath)
        } catch {
            for fault in error.faults { complain("\(fault)") }
            throw ExitCode(1)
        }
    }
}

/// Prints a line for people who read errors.
func complain(_ text: String) {
    let bytes = Array((text + "\n").utf8)
    _ = write(2, bytes, bytes.count)
}

/// Prints any value as JSON with sorted keys.
func printJSON(_ value: some Encodable) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    encoder.dateEncodingStrategy = .iso8601
    print(String(decoding: try encoder.encode(value), as: UTF8.self))
}

extension SharedOptions {
    /// The job store of the configuration.
    ///
    /// - Throws: exit code 1 after one line that says what is wrong.
    func openStore(_ access: JobStore.Access) throws -> JobStore {
        let configuration = try load().configuration
        do {
            return try JobStore(
                path: "\(configuration.state)/\(JobStore.fileName)", access: access,
                policy: StorePolicy(configuration))
        } catch {
            complain("\(error)")
            throw ExitCode(1)
        }
    }
}
