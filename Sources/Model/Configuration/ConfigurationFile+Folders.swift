import FoundationEssentials
public import StickerValues

extension ConfigurationFile {
    /// Loads the file for callers that only need its folders, to talk to a daemon that runs with an older version of
    /// it: faults are returned, and the affected settings keep their defaults.
    ///
    /// - Returns: the file, and its faults.
    /// - Throws: `ConfigurationError` if the file cannot be read at all.
    public static func loadFolders(
        flag: String?, environment: [String: String], workingFolder: String,
        isTrusted: Bool = true
    ) throws(ConfigurationError) -> (file: ConfigurationFile, faults: [JSONFault]) {
        do {
            let file = try load(
                flag: flag, environment: environment, workingFolder: workingFolder,
                isTrusted: isTrusted)
            return (file, [])
        } catch {
            guard
                let path = place(
                    flag: flag, environment: environment, workingFolder: workingFolder,
                    isTrusted: isTrusted),
                let data = try? Data(contentsOf: URL(filePath: path))
            else { throw error }  // it cannot be read, as the error says
            return (resolved(folders(in: [UInt8](data)), path: path), error.faults)
        }
    }

    private static func folders(in json: [UInt8]) -> Configuration {
        if let value = try? JSONParser.parse(json) {  // its faults are already known
            return Configuration(value, Findings())
        }
        var configuration = Configuration()
        configuration.out = text(of: "out", in: json) ?? configuration.out
        configuration.state = text(of: "state", in: json) ?? configuration.state
        return configuration
    }

    /// The text after `"key":` in a file that is not valid JSON as a whole, for example because of a missing comma.
    private static func text(of key: String, in json: [UInt8]) -> String? {
        guard let found = json.firstRange(of: Array("\"\(key)\"".utf8)) else { return nil }
        let rest = json[found.upperBound...].drop { " \t\r\n:".utf8.contains($0) }
        guard rest.first == UInt8(ascii: "\""),
            let end = rest.dropFirst().firstIndex(of: UInt8(ascii: "\"")),
            case .string(let text)? = try? JSONParser.parse(Array(rest[...end]))
        else { return nil }
        return text
    }
}
