import FoundationEssentials
public import StickerValues

/// A key whose value differs in a newer configuration.
public struct SettingChange: Hashable, Sendable, Codable {
    /// The JSON path.
    public var key: String
    /// The value in force.
    public var old: String
    /// The value of the newer configuration.
    public var new: String
    /// Whether a reload does not apply it.
    public var needsRestart: Bool
}

extension Configuration {
    /// Folders are opened once, at startup.
    private static let restartKeys: Set<String> = [
        "drops", "out", "state", "run", "problemsFolder", "smart.enabled",
    ]

    /// Every key with its value as text, by JSON path. The keys of a category are listed separately, even if the
    /// category inherits the value from `sticker`.
    ///
    /// Other programs read `web`, `console` and `personal` at their start, and a list of changes must not contain
    /// secret keys. Uploads are a separate library, with its own listed folders.
    public var settings: [String: String] {
        everySetting.filter { key, _ in
            !["web.", "console.", "personal."].contains(where: key.hasPrefix)
        }
    }

    /// Every key of every program with its value as text, by JSON path, including secrets: see `SecretSetting`.
    var everySetting: [String: String] {
        var settings: [String: String] = [:]
        Self.collect(self, path: "", into: &settings)
        // In the file it is beside `sticker`.
        for (key, value) in settings where key.hasPrefix("sticker.smart.") {
            settings[key] = nil
            settings[String(key.dropFirst("sticker.".count))] = value
        }
        return settings
    }

    /// The differences in `newer`, by key.
    public func changes(to newer: Configuration) -> [SettingChange] {
        Self.changes(from: settings, to: newer.settings)
    }

    /// The differences between two sets of `settings`, by key.
    ///
    /// A category that appears in only one of them is compared with the `sticker` of the other, and a target with its
    /// built-in entry.
    public static func changes(
        from old: [String: String], to new: [String: String]
    ) -> [SettingChange] {
        Set(old.keys).union(new.keys).sorted().compactMap { key in
            let (old, new) = (value(of: key, in: old), value(of: key, in: new))
            guard old != new else { return nil }
            // A key may have been written in place of the path of its file.
            let isShown = !SecretSetting.isAboutSecrets(key)
            return SettingChange(
                key: key, old: isShown ? old : SecretSetting.hidden,
                new: isShown ? new : SecretSetting.hidden, needsRestart: restartKeys.contains(key))
        }
    }

    private static func value(of key: String, in settings: [String: String]) -> String {
        // Earlier releases recorded it in their spelling.
        if let value = settings[key] {
            return key.hasSuffix(".tooLong") ? TooLong.older[value]?.rawValue ?? value : value
        }
        if let value = builtInTargets[key] { return value }
        guard key.hasPrefix("categories.") else { return absent }
        // The name of a category may contain dots; a setting has one at most.
        let parts = key.split(separator: ".")
        return [parts.suffix(1), parts.suffix(2)].lazy.map { $0.joined(separator: ".") }
            .compactMap { settings["sticker.\($0)"] ?? settings[$0] }.first ?? absent
    }

    /// Shown for a key without a value, and for one that an earlier release did not know.
    private static let absent = "-"

    /// The keys of the built-in targets, as named in `settings`.
    private static let builtInTargets: [String: String] = {
        var settings: [String: String] = [:]
        for (name, target) in Target.builtIn { collect(target, name, into: &settings) }
        return settings
    }()

    private static func collect(
        _ target: Target, _ name: String, into settings: inout [String: String]
    ) {
        let path = "targets.\(FileName.escaped(name))"
        collect(target, path: path, into: &settings)
        settings["\(path).name"] = nil
    }

    /// The properties have the names of the keys; a test checks them against `config.json`.
    private static func collect(
        _ value: Any, path: String, into settings: inout [String: String]
    ) {
        func below(_ key: String) -> String { path.isEmpty ? key : "\(path).\(key)" }
        if let categories = value as? [String: StickerSettings] {
            for (name, category) in categories {
                collect(category, path: below(FileName.escaped(name)), into: &settings)
            }
            return
        }
        if type(of: value) == [String: ConsolePerson].self {
            for (name, person) in value as? [String: ConsolePerson] ?? [:] {
                collect(person, path: below(FileName.escaped(name)), into: &settings)
            }
            return
        }
        if let targets = value as? [String: Target] {
            // Unchanged targets are not settings.
            for (name, target) in targets where target != Target.builtIn[name] {
                collect(target, name, into: &settings)
            }
            return
        }
        // An empty list would match any list type.
        if type(of: value) == [UpstreamConfiguration].self {
            for upstream in value as? [UpstreamConfiguration] ?? [] {
                let path = below(upstream.identifier.rawValue)
                collect(upstream, path: path, into: &settings)
                // The identifier is the name of the object, and `rating` determines the other.
                settings["\(path).identifier"] = nil
                settings["\(path).passesUnrated"] = nil
            }
            return
        }
        if let color = value as? ColorConfiguration {
            settings[below("cmykProfile")] = color.cmykProfile?.shown ?? absent
            return
        }
        let mirror = Mirror(reflecting: value)
        if mirror.displayStyle == .optional {
            guard let child = mirror.children.first else {
                settings[path] = absent
                return
            }
            return collect(child.value, path: path, into: &settings)
        }
        guard mirror.displayStyle == .struct, !(value is any SettingLeaf) else {
            settings[path] = shown(value)
            return
        }
        for case (let name?, let child) in mirror.children {
            collect(child, path: below(name), into: &settings)
        }
    }

    private static func shown(_ value: Any) -> String {
        switch value {
        case let text as String: "\"\(FileName.escaped(text))\""
        case let number as Double: number == number.rounded() ? "\(Int(number))" : "\(number)"
        case let list as [Any]: "[\(list.map(shown).joined(separator: ", "))]"
        case let drop as DropFolder: drop.shown
        case let mark as Watermark: mark.shown
        case let thumbnail as StickerSettings.Thumbnail:
            "\(thumbnail.pixels) \(thumbnail.format.rawValue)"
        case let words as CategoryWords: words.shown
        case let marks as MarkFolder: marks.shown
        case let choice as any RawRepresentable<String>: choice.rawValue
        case let address as WebAddress: "\"\(address)\""
        case let range as AddressRange: "\"\(range)\""
        default: "\(value)"
        }
    }
}

extension CMYKProfileFile {
    /// The path, with the hash once the file is read: new content is a new setting.
    fileprivate var shown: String {
        let name = "\"\(FileName.escaped(path))\""
        return profile.map { "\(name) (\($0.hash.rawValue.prefix(12))…)" } ?? name
    }
}

extension Watermark {
    /// The content and all non-default values; new content of a file is a new setting.
    fileprivate var shown: String {
        let content =
            switch content {
            case .color, .text: content.text
            case .image(let file), .raw(let file, _): "\(file.shown) \(content.text)"
            }
        let files = on.isEmpty ? "" : " on=\(on.joined(separator: ","))"
        return "\"\(FileName.escaped(id))\" \(content)\(words)\(files)"
    }
}

extension CategoryWords {
    /// As in the file.
    fileprivate var shown: String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        guard let json = try? encoder.encode(self) else {
            preconditionFailure("texts are always JSON")
        }
        return String(decoding: json, as: UTF8.self)
    }
}

extension MarkFolder {
    /// The path, with the hash of each picture: new content is a new setting.
    fileprivate var shown: String {
        let path = "\"\(FileName.escaped(path))\""
        guard !pictures.isEmpty else { return path }
        let names = pictures.sorted { $0.key < $1.key }
            .map { "\(FileName.escaped($0.key)) \($0.value.hash.rawValue.prefix(12))…" }
        return "\(path) (\(names.joined(separator: ", ")))"
    }
}

extension WatermarkFile {
    fileprivate var shown: String { "\"\(FileName.escaped(path))\"" }
}

extension DropFolder {
    /// As in the file, the name before the path.
    fileprivate var shown: String {
        let path = "\"\(FileName.escaped(path))\""
        return name.map { "\($0) at \(path)" } ?? path
    }
}

/// A struct shown as one value.
private protocol SettingLeaf {}
extension String: SettingLeaf {}
extension Double: SettingLeaf {}
extension Int: SettingLeaf {}
extension Bool: SettingLeaf {}
extension CategoryWords: SettingLeaf {}
extension MarkFolder: SettingLeaf {}
extension WebAddress: SettingLeaf {}
extension CategoryID: SettingLeaf {}
