import Foundation
public import StickerConfiguration
public import StickerValues

extension Configuration {
    /// Checks that all languages and time zones are known.
    ///
    /// - Throws: `ConfigurationError` with each unknown one.
    public func checkSmart() throws(ConfigurationError) {
        try check(smartFaults + unknownLanguages)
    }

    /// The same, but unknown languages are allowed.
    ///
    /// - Throws: `ConfigurationError`.
    public func checkSmartButLanguages() throws(ConfigurationError) { try check(smartFaults) }

    private func check(_ faults: [JSONFault]) throws(ConfigurationError) {
        guard faults.isEmpty else { throw ConfigurationError(faults: faults) }
    }

    /// Unknown languages; English is used instead, see `SmartPlace.init(orInEnglish:)`.
    public var unknownLanguages: [JSONFault] {
        placeFaults.filter(\.isLanguage).map(\.fault)
    }

    private var smartFaults: [JSONFault] {
        placeFaults.filter { !$0.isLanguage }.map(\.fault)
            + (smart.enabled && shippedDrop == nil ? [Self.lackingTemplates] : [])
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

    private var placeFaults: [(fault: JSONFault, isLanguage: Bool)] {
        var known: Set<StickerSettings.Smart> = []
        return smartSettings.flatMap { path, settings in
            // Faults in inherited settings are reported once.
            known.insert(settings).inserted ? settings.placeFaults(path) : []
        }
    }

    /// The settings for all categories, then those of each.
    var smartSettings: [(path: String, settings: StickerSettings.Smart)] {
        let categories = categories.sorted { $0.key < $1.key }
            .map { (path: "categories.\(FileName.escaped($0.key)).smart", $0.value.smart) }
        return [("smart", sticker.smart)] + categories
    }

    /// Everything that smart stickers depend on besides time, as text that changes with it.
    public var smartText: String {
        let parts = categories.map { "\($0.key)=\($0.value.smart.text)" }.sorted()
        return ([sticker.smart.text] + parts).joined(separator: "\n")
    }
}

extension StickerSettings.Smart {
    fileprivate func placeFaults(_ path: String) -> [(fault: JSONFault, isLanguage: Bool)] {
        var faults: [(fault: JSONFault, isLanguage: Bool)] = []
        if SmartLocale(locale) == nil {
            let fault = SmartPlaceFault.locale(locale)
            faults.append((JSONFault(path: "\(path).\(fault.key)", message: "\(fault)"), true))
        }
        do throws(SmartPlaceFault) {
            _ = try SmartPlace(orInEnglish: self)
        } catch {
            faults.append((JSONFault(path: "\(path).\(error.key)", message: "\(error)"), false))
        }
        return faults
    }

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
