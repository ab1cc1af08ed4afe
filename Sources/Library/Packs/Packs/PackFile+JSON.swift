import FoundationEssentials

extension PackFile {
    /// A JSON file for programs and people; its keys are sorted, so that equal values give equal bytes.
    ///
    /// - Parameters:
    ///   - path: where it lies in the folder of the pack.
    ///   - value: texts, numbers, truth values and what is made of them.
    init(_ path: String, json value: some Encodable) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes, .prettyPrinted]
        guard let data = try? encoder.encode(value) else {
            preconditionFailure("texts, numbers, lists and truth values are always JSON")
        }
        self.init(path, .bytes([UInt8](data) + [UInt8(ascii: "\n")]))
    }
}
