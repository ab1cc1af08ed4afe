import Foundation

/// A language for which ICU has texts. Identifiers are matched as in CLDR: `zh_TW` is `zh_Hant_TW`, `in` is `id`, and
/// `de_US`, which has no texts, is `de`.
struct SmartLocale {
    /// ICU's identifier.
    let identifier: String
    /// The requested region, else that of `identifier`.
    let region: String?

    /// Finds the language.
    ///
    /// - Parameter text: an identifier with `_` or `-`, or as in environment variables: `de_DE.UTF-8`, `sr_RS@latin`.
    init?(_ text: String) {
        let name = Self.name(text)
        let script = text.split(separator: "@").dropFirst().first.flatMap { Self.scripts[$0] }
        guard let found = script.flatMap({ Self.match(name, in: $0) }) ?? Self.match(name)
        else { return nil }
        identifier = found
        let region = Self.region(of: text) ?? Locale(identifier: found).region?.identifier
        self.region = region ?? (found == "en" ? "US" : nil)
    }

    /// The region in an identifier, even if its language is unknown.
    static func region(of text: String) -> String? {
        Locale.Language(identifier: name(text)).region?.identifier
    }

    private static func name(_ text: String) -> String {
        String(text.prefix { $0 != "." && $0 != "@" }).replacing("-", with: "_")
    }

    /// The modifiers of environment variables that name a script.
    private static let scripts: [Substring: String] = [
        "latin": "Latn", "cyrillic": "Cyrl", "devanagari": "Deva",
    ]

    /// The same language in another script.
    private static func match(_ name: String, in script: String) -> String? {
        let language = name.prefix { $0 != "_" }
        return match("\(language)_\(script)\(name.dropFirst(language.count))")
    }

    private static let known = Set(Locale.availableIdentifiers)

    private static func match(_ name: String) -> String? {
        if known.contains(name) { return name }
        let language = name.prefix { $0 != "_" }.lowercased()
        guard (2...3).contains(language.count), language.allSatisfy(\.isLetter) else { return nil }
        let current = aliases[language].map { $0 + name.dropFirst(language.count) } ?? name
        // Replaces withdrawn codes, `in` by `id`, and corrects upper and lower case.
        let tag = Locale.identifier(.bcp47, from: current)
        let likely = Locale.Language(
            identifier: Locale.Language(identifier: tag).maximalIdentifier)
        guard let code = likely.languageCode?.identifier, let script = likely.script?.identifier
        else { return nil }
        let region = likely.region?.identifier
        let candidates =
            [region.map { "\(code)_\(script)_\($0)" }, region.map { "\(code)_\($0)" }]
            + ["\(code)_\(script)", code]
        // Readers may not read the language in another script.
        return candidates.lazy.compactMap(\.self).first { candidate in
            known.contains(candidate)
                && Locale.Language(
                    identifier: Locale.Language(identifier: candidate).maximalIdentifier
                ).script?.identifier == script
        }
    }

    /// Codes for which ICU uses another language: CLDR 47, `languageAlias` of `supplementalMetadata.xml`, as far as
    /// Foundation does not replace them itself.
    private static let aliases = [
        "arb": "ar", "azj": "az", "cmn": "zh", "ekk": "et", "khk": "mn", "kmr": "ku", "lvs": "lv",
        "npi": "ne", "ory": "or", "pes": "fa", "sh": "sr_Latn", "swh": "sw",
        "tl": "fil", "uzn": "uz", "ydd": "yi", "zsm": "ms",
    ]
}
