import Foundation
public import Testing

/// The published schemas, judged by Debian's python3-jsonschema rather than by code of ours.
public enum JSONSchema: String, Sendable {
    case manifest
    case index
    case removed
    case attention
    case targets
    case sticker
    case category
    case weather

    /// Faults of JSON files by this schema, in the validator's words; empty if there are none.
    ///
    /// - Throws: where python3 cannot be started.
    public func complaints(about files: [String]) throws -> String {
        let schema = Repository.path("deploy/schema/\(rawValue).schema.json")
        let (status, output) = try Self.python(
            ["-m", "jsonschema"] + files.flatMap { ["--instance", $0] } + [schema])
        return status == 0 ? "" : "exit code \(status)\n\(output)"
    }

    fileprivate static let isAvailable: Bool = {
        // Not even python3 is there: the test is skipped with a hint.
        (try? python(["-c", "import jsonschema"]).status) == 0
    }()

    private static func python(_ arguments: [String]) throws -> (status: Int32, output: String) {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/python3")
        process.arguments = ["-W", "ignore"] + arguments
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = pipe
        try process.run()
        let output = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return (process.terminationStatus, String(decoding: output, as: UTF8.self))
    }
}

extension Trait where Self == ConditionTrait {
    /// Skips the test, with a hint, where no validator is at hand.
    public static var needsSchemaValidator: Self {
        .enabled(
            if: JSONSchema.isAvailable, "install python3-jsonschema to check published JSON")
    }
}
