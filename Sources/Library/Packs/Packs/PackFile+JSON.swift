import FoundationEssentials

extension PackFile {
    /// A JSON file; its keys are sorted, so that equal values give equal bytes.
    ///
    /// - Parameters:
    ///   - path: its path in the folder of the pack.
    ///   - value: texts, numbers, booleans, and their collections.
    init(_ path: String, json value: some Encodable) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes, .prettyPrinted]
        guard let data = try? encoder.encode(value) else {
            preconditionFailure("texts, numbers, lists and truth values are always JSON")
        }
        self.init(path, .bytes([UInt8](data) + [UInt8(ascii: "\n")]))
    }
}
