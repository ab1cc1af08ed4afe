import FoundationEssentials
public import StickerValues

/// A configuration with its file and absolute paths.
public struct ConfigurationFile: Sendable {
    /// The settings, whose paths are absolute.
    public var configuration: Configuration
    /// The file; `nil` if the built-in defaults are in force.
    public var path: String?
    /// Whether it is for uploads.
    public internal(set) var isOfUploads = false
    /// Values that are interpreted otherwise than written.
    public var warnings: [JSONFault] = []

    /// The file, or a phrase for the built-in defaults.
    public var origin: String { path ?? "built-in defaults" }

    /// Loads the first of: `flag`, the variable `STICKERD_CONFIG`, `./config.json`, `/etc/stickerd/config.json`, the
    /// built-in defaults. The file in `workingFolder` is considered only if it `isTrusted`: in a drop folder, anyone
    /// could have put it there.
    ///
    /// - Throws: `ConfigurationError` if the file cannot be read or has faults. An explicitly named file must exist.
    public static func load(
        flag: String?, environment: [String: String], workingFolder: String,
        isTrusted: Bool = true
    ) throws(ConfigurationError) -> ConfigurationFile {
        guard
            let path = place(
                flag: flag, environment: environment, workingFolder: workingFolder,
                isTrusted: isTrusted)
        else { return resolved(Configuration(), path: nil, folder: workingFolder) }
        return try load(path)
    }

    /// The file that `load` would read; `nil` for the built-in defaults.
    public static func place(
        flag: String?, environment: [String: String], workingFolder: String,
        isTrusted: Bool = true
    ) -> String? {
        let named = flag ?? environment["STICKERD_CONFIG"].flatMap { $0.isEmpty ? nil : $0 }
        if let named { return absolute(named, from: workingFolder) }
        let own = isTrusted ? [workingFolder + "/config.json"] : []
        return (own + ["/etc/stickerd/config.json"])
            .first { FileManager.default.fileExists(atPath: $0) }
    }

    private static func load(_ path: String) throws(ConfigurationError) -> ConfigurationFile {
        let data: Data
        do {
            data = try Data(contentsOf: URL(filePath: path))
        } catch {
            let trouble = FileTrouble(error)
            let fault = JSONFault(path: "", message: "\(path) cannot be read: \(trouble)")
            throw ConfigurationError(faults: [fault], mayPass: trouble.mayPass)
        }
        return try parse([UInt8](data), at: path)
    }

    /// Reads a configuration as if these bytes were in the file at `path`.
    ///
    /// - Throws: `ConfigurationError` if it has faults.
    public static func parse(
        _ json: [UInt8], at path: String
    ) throws(ConfigurationError) -> ConfigurationFile {
        var warnings: [JSONFault] = []
        let configuration: Configuration
        do {
            configuration = try Configuration(json: Data(json), warnings: &warnings)
        } catch {
            var named = error
            // A fault of the whole file has no key by which the file is found.
            for index in named.faults.indices where named.faults[index].path.isEmpty {
                named.faults[index].message = "\(path): \(named.faults[index].message)"
            }
            throw named
        }
        var file = resolved(configuration, path: path)
        file.warnings = warnings
        return file
    }

    /// Relative folders are resolved against the folder of the file.
    static func resolved(_ configuration: Configuration, path: String) -> ConfigurationFile {
        let folder = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? ""
        return resolved(configuration, path: path, folder: folder.isEmpty ? "/" : folder)
    }

    private static func resolved(
        _ configuration: Configuration, path: String?, folder: String
    ) -> ConfigurationFile {
        func settle(_ path: inout String) { path = absolute(path, from: folder) }
        func settle(_ path: inout String?) { path = path.map { absolute($0, from: folder) } }
        var configuration = configuration
        for index in configuration.drops.indices { settle(&configuration.drops[index].path) }
        if configuration.smart.enabled, let templates = ShippedTemplates.folder() {
            configuration.drops.append(
                DropFolder(path: templates, name: ShippedTemplates.dropName))
        }
        settle(&configuration.smart.weather.keyFile)
        settle(&configuration.out)
        settle(&configuration.state)
        settle(&configuration.web.keysFile)
        for index in configuration.web.upstreams.indices {
            settle(&configuration.web.upstreams[index].keyFile)
        }
        settle(&configuration.console.tokenFile)
        for index in configuration.console.drops.indices {
            settle(&configuration.console.drops[index])
        }
        settle(&configuration.personal.drop)
        settle(&configuration.personal.private)
        settle(&configuration.personal.tokensFile)
        configuration.run = runFolder(configuration.run, beside: folder)
        settle(&configuration.problemsFolder)
        configuration.marks = configuration.marks.map {
            MarkFolder(path: absolute($0.path, from: folder))
        }
        if var profile = configuration.color.cmykProfile {
            settle(&profile.path)
            configuration.color.cmykProfile = profile
        }
        configuration.changeWatermarkFiles { file, _ in settle(&file.path) }
        return ConfigurationFile(configuration: configuration, path: path)
    }

    /// The default for a file in `/etc` is in `/run`: changing files do not belong in `/etc`, and a service may not
    /// write there.
    private static func runFolder(_ path: String, beside folder: String) -> String {
        let isDefault = path == Configuration().run
        return isDefault && (folder + "/").hasPrefix("/etc/")
            ? "/run/stickerd" : absolute(path, from: folder)
    }

    /// `path` made absolute; `.` and trailing slashes are removed, `..` is kept (it may follow links).
    public static func absolute(_ path: String, from folder: String) -> String {
        let whole = path.hasPrefix("/") ? path : folder + "/" + path
        let parts = whole.split(separator: "/").filter { $0 != "." }
        return "/" + parts.joined(separator: "/")
    }
}
