import CPango

/// The fonts of one folder, and no others.
///
/// `deploy/fonts.sh` makes one: fonts, Fontconfig's cache of them, and `names.conf`, the defaults for drawings that
/// name no font.
///
/// It can be shared: threads may read Fontconfig's configuration even while it is built.
public final class FontFolder: @unchecked Sendable {
    /// Fontconfig's data; corresponds to `FcConfig`.
    let configuration: OpaquePointer
    /// The families, by their first name.
    let families: [Family]

    /// A family of fonts.
    struct Family: Hashable {
        var names: Set<String>
        /// The name for people.
        var name: String
        /// Its fonts as Pango names them, such as `Inter Semi-Bold Italic`.
        var fonts: [String]
    }

    /// Reads the fonts of a folder.
    ///
    /// - Parameter path: the absolute path of the folder.
    /// - Throws: `TextFault` if it has no font.
    public init(_ path: String) throws(TextFault) {
        guard let configuration = FcConfigCreate() else {
            throw TextFault(.outOfMemory, "memory is short", remedy: "try again later")
        }
        // The fault below reports a missing folder, not standard error.
        guard
            FcConfigParseAndLoadFromMemory(configuration, Self.document(path), FcBool(0)) != 0,
            FcConfigBuildFonts(configuration) != 0
        else {
            FcConfigDestroy(configuration)
            throw TextFault(.noFonts, "\(path) cannot be read", remedy: Self.remedy(path))
        }
        let families = Self.families(of: configuration)
        guard !families.isEmpty else {
            FcConfigDestroy(configuration)
            throw TextFault(.noFonts, "\(path) has no fonts", remedy: Self.remedy(path))
        }
        self.configuration = configuration
        self.families = families
    }

    deinit { FcConfigDestroy(configuration) }

    /// Reads the only folder of fonts of this process, for drawings, whose libraries look for fonts themselves, too.
    ///
    /// - Parameter path: the absolute path of the folder.
    /// - Returns: the fonts, or the fault of the folder.
    public static func read(_ path: String) -> Result<FontFolder, TextFault> {
        Result { () throws(TextFault) in
            let folder = try FontFolder(path)
            FcConfigSetCurrent(folder.configuration)
            return folder
        }
    }

    /// The configuration of the folder for Fontconfig, with a separate path for the cache, which stays the same when
    /// the folder is moved or accessed by a descriptor.
    private static func document(_ path: String) -> String {
        let place = path.replacing("&", with: "&amp;").replacing("<", with: "&lt;")
        return """
            <fontconfig>
            <remap-dir as-path="/stickerd/fonts">\(place)/fonts</remap-dir>
            <cachedir>\(place)/cache</cachedir>
            <include ignore_missing="yes">\(place)/names.conf</include>
            </fontconfig>
            """
    }

    private static func remedy(_ path: String) -> String {
        "assemble it: fonts.sh \(path)"
    }

    /// The family called `name`, ignoring case.
    func family(named name: String) -> Family? {
        families.first { $0.names.contains(name.lowercased()) }
    }

    private static func families(of configuration: OpaquePointer) -> [Family] {
        guard let fonts = FcConfigGetFonts(configuration, FcSetSystem) else { return [] }
        var families: [String: Family] = [:]
        for index in 0..<Int(fonts.pointee.nfont) {
            guard let font = fonts.pointee.fonts[index],
                let name = string(font, FC_FAMILY, 0)
            else { continue }
            var family = families[name] ?? Family(names: [], name: name, fonts: [])
            var count: Int32 = 0
            while let other = string(font, FC_FAMILY, count) {
                family.names.insert(other.lowercased())
                count += 1
            }
            if let own = description(of: font), !family.fonts.contains(own) {
                family.fonts.append(own)
            }
            families[name] = family
        }
        return families.values.sorted { $0.name < $1.name }.map { family in
            var family = family
            family.fonts.sort()
            return family
        }
    }

    private static func description(of font: OpaquePointer) -> String? {
        guard let description = pango_fc_font_description_from_pattern(font, 0) else { return nil }
        defer { pango_font_description_free(description) }
        guard let text = pango_font_description_to_string(description) else { return nil }
        defer { g_free(text) }
        return String(cString: text)
    }

    private static func string(_ font: OpaquePointer, _ object: String, _ index: Int32) -> String? {
        var text: UnsafeMutablePointer<FcChar8>?
        guard FcPatternGetString(font, object, index, &text) == FcResultMatch, let text else {
            return nil
        }
        return String(cString: text)
    }
}
