import Foundation
public import StickerModel

extension Configuration {
    /// Makes sure that languages and time zones are known.
    ///
    /// - Throws: `ConfigurationError` with each that is not.
    public func checkSmart() throws(ConfigurationError) {
        let faults = smartFaults
        guard faults.isEmpty else { throw ConfigurationError(faults: faults) }
    }

    private var smartFaults: [JSONFault] {
        placeFaults + (smart.enabled && shippedDrop == nil ? [Self.lackingTemplates] : [])
            + (shippedDrop.map(ownDropPaths.contains) == true ? [Self.doubleDrop] : [])
    }

    private static let doubleDrop = JSONFault(
        path: "drops",
        message: "the folder of stickerd's own smart stickers is among them; leave it out, as "
            + "smart.enabled adds it")

    private static let lackingTemplates = JSONFault(
        path: "smart.enabled",
        message: "the smart stickers of stickerd are not installed beside "
            + "\(RunningProgram.folder); install all of stickerd")

    private var placeFaults: [JSONFault] {
        let categories = categories.sorted { $0.key < $1.key }
            .map { (path: "categories.\(FileName.escaped($0.key)).smart", $0.value.smart) }
        var known: Set<StickerSettings.Smart> = []
        return ([("smart", sticker.smart)] + categories).compactMap { path, settings in
            // What a category takes over is told once.
            guard known.insert(settings).inserted else { return nil }
            do throws(SmartPlaceFault) {
                _ = try SmartPlace(settings)
                return nil
            } catch {
                return JSONFault(path: "\(path).\(error.key)", message: "\(error)")
            }
        }
    }

    /// All that smart stickers depend on besides time, as text that changes with it.
    public var smartText: String {
        let parts = categories.map { "\($0.key)=\($0.value.smart.text)" }.sorted()
        return ([sticker.smart.text] + parts).joined(separator: "\n")
    }
}

extension StickerSettings.Smart {
    fileprivate var text: String {
        "\(locale) \(timeZone.isEmpty ? TimeZone.current.identifier : timeZone) \(unit.rawValue)"
    }
}

extension SmartPlaceFault {
    fileprivate var key: String {
        switch self {
        case .timeZone: "timeZone"
        case .locale, .instant: "locale"
        }
    }
}
