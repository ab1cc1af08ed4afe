import StickerValues

/// The look of a category as fields of a form. Members that no field shows stay as they are.
struct LookForm: Sendable {
    /// A place where people put a mark.
    enum Corner: String, CaseIterable, Sendable {
        case topLeft = "top left"
        case topRight = "top right"
        case bottomLeft = "bottom left"
        case bottomRight = "bottom right"
        case middle

        /// The fractions of the canvas and of the mark that coincide.
        fileprivate var anchor: (x: Double, y: Double) {
            switch self {
            case .topLeft: (0, 0)
            case .topRight: (1, 0)
            case .bottomLeft: (0, 1)
            case .bottomRight: (1, 1)
            case .middle: (0.5, 0.5)
            }
        }

        fileprivate var members: [(String, JSONValue)] {
            let inset = 0.02
            let (x, y) = anchor
            return [
                ("anchor", .array([.number(x), .number(y)])),
                (
                    "offset",
                    .array([.number((0.5 - x) * 2 * inset), .number((0.5 - y) * 2 * inset)])
                ),
            ]
        }
    }

    /// A picture of the folder of marks, and how the look shows it.
    struct Mark: Sendable {
        let name: String
        var isOn = false
        /// `nil` for a place that is none of these.
        var corner: Corner? = .bottomRight
        /// The width in percent of the canvas; empty if only the height is set.
        var size = "20"
        /// In percent.
        var opacity = "100"
    }

    /// The field of side files that holds the whole look.
    static let field = WordsField(key: "look", label: "Look", kind: .json)

    /// The look as it is shown.
    let look: JSONObject

    /// The names of the fields, apart from those of marks.
    enum Name: String {
        case outlinePixels, outlineColor, tintMode, tintColor, marginPixels, trim, marks
    }

    /// The text of a field; empty if the look says nothing.
    func text(_ name: Name) -> String {
        let value: JSONValue? =
            switch name {
            case .outlinePixels: part("outline")["pixels"]
            case .outlineColor: part("outline")["color"]
            case .tintMode: part("tint")["mode"]
            case .tintColor: part("tint")["color"]
            case .marginPixels, .trim: look[name.rawValue]
            case .marks: look["watermarks"].map { _ in .string("own") }
            }
        return Self.text(of: value)
    }

    /// The pictures of the folder of marks, and others that the look names.
    func marks(_ names: [String]) -> [Mark] {
        var marks = names.map { Mark(name: $0) }
        for case .object(let item) in list {
            guard let name = Self.picture(of: item) else { continue }
            let index = marks.firstIndex { $0.name == name }
            if index == nil { marks.append(Mark(name: name)) }
            marks[index ?? marks.count - 1].read(item)
        }
        return marks
    }

    /// How many marks it has besides pictures: texts and colours.
    var otherMarks: Int {
        list.count {
            if case .object(let item) = $0 { Self.picture(of: item) == nil } else { true }
        }
    }

    private var list: [JSONValue] {
        if case .array(let items)? = look["watermarks"] { items } else { [] }
    }

    private func part(_ key: String) -> JSONObject {
        if case .object(let members)? = look[key] { members } else { [:] }
    }

    fileprivate static func picture(of item: JSONObject) -> String? {
        if case .string(let name)? = item["image"] { name } else { nil }
    }

    fileprivate static func text(of value: JSONValue?) -> String {
        switch value {
        case .string(let text): text
        case .integer(let number): String(number)
        case .number(let number): String(number)
        case .bool(let flag): flag ? "yes" : "no"
        default: ""
        }
    }
}

// MARK: Sent forms

extension LookForm {
    /// The look that a form was filled in with: the one that it showed, with what its fields say now.
    ///
    /// - Parameter form: the fields.
    init(sent form: [String: String]) {
        let shown = Self(look: Self.object(form["was-look"] ?? ""))
        var look = shown.look
        func put(_ key: String, _ value: JSONValue?, in part: String? = nil) {
            guard let part else {
                look = look.setting(key, to: value)
                return
            }
            var inner: JSONObject = [:]
            if case .object(let members)? = look[part] { inner = members }
            inner = inner.setting(key, to: value)
            look = look.setting(part, to: inner.isEmpty ? nil : .object(inner))
        }
        func value(_ name: Name) -> JSONValue? {
            let text = (form[name.rawValue] ?? "").trimmed
            guard !text.isEmpty else { return nil }
            return switch name {
            case .outlinePixels, .marginPixels: Int(text).map(JSONValue.integer) ?? .string(text)
            case .trim: .bool(text == "yes")
            default: .string(text)
            }
        }
        put("pixels", value(.outlinePixels), in: "outline")
        put("color", value(.outlineColor), in: "outline")
        put("mode", value(.tintMode), in: "tint")
        put("color", value(.tintColor), in: "tint")
        put("marginPixels", value(.marginPixels))
        put("trim", value(.trim))
        let isOwn = form[Name.marks.rawValue] == "own"
        put("watermarks", isOwn ? .array(shown.list(changedBy: form)) : nil)
        self.look = look
    }

    /// The look as text; empty if it says nothing.
    var text: String { look.isEmpty ? "" : JSONText.text(of: .object(look)) }

    private static func object(_ text: String) -> JSONObject {
        if case .object(let members)? = try? JSONParser.parse(Array(text.utf8)) {
            members
        } else {
            [:]
        }
    }

    private static let prefix = "corner-"

    private func list(changedBy form: [String: String]) -> [JSONValue] {
        let names = form.keys.filter { $0.hasPrefix(Self.prefix) }
            .map { String($0.dropFirst(Self.prefix.count)) }.sorted()
        var known: Set<String> = []
        let kept = list.compactMap { item -> JSONValue? in
            guard case .object(let members) = item, let name = Self.picture(of: members),
                names.contains(name)
            else { return item }
            known.insert(name)
            guard form["mark-\(name)"] != nil else { return nil }
            var mark = Mark(name: name)
            mark.read(members)
            return .object(Self.changed(members, mark, form))
        }
        let added = names.filter { !known.contains($0) && form["mark-\($0)"] != nil }
            .map { name -> JSONValue in
                var mark = Mark(name: name)
                (mark.corner, mark.size) = (nil, "")
                let members: JSONObject = ["id": .string(name), "image": .string(name)]
                return .object(Self.changed(members, mark, form))
            }
        return kept + added
    }

    /// A mark with what the fields say otherwise than `mark`, as which they showed it.
    private static func changed(
        _ members: JSONObject, _ mark: Mark, _ form: [String: String]
    ) -> JSONObject {
        var members = members
        let corner = form["corner-\(mark.name)"].flatMap(Corner.init)
        let size = (form["size-\(mark.name)"] ?? mark.size).trimmed
        let opacity = (form["opacity-\(mark.name)"] ?? mark.opacity).trimmed
        if size != mark.size { members = members.setting("width", to: fraction(size)) }
        if let corner, corner != mark.corner {
            for (key, value) in corner.members { members = members.setting(key, to: value) }
        }
        if opacity != mark.opacity {
            members = members.setting("opacity", to: opacity == "100" ? nil : fraction(opacity))
        }
        return members
    }

    /// A percentage as a fraction. A wrong one is left to the reader of side files, which says what is allowed.
    private static func fraction(_ text: String) -> JSONValue? {
        guard !text.isEmpty else { return nil }
        return Double(text).map { .number($0 / 100) } ?? .string(text)
    }
}

extension LookForm.Mark {
    fileprivate mutating func read(_ item: JSONObject) {
        isOn = true
        size = Self.percent(item["width"]) ?? ""
        opacity = Self.percent(item["opacity"]) ?? "100"
        guard item["style"] == nil else { return corner = nil }
        guard case .array(let point)? = item["anchor"] else { return }
        let place = point.compactMap(\.asNumber)
        corner = LookForm.Corner.allCases.first { place == [$0.anchor.x, $0.anchor.y] }
    }

    private static func percent(_ value: JSONValue?) -> String? {
        guard let number = value?.asNumber else { return nil }
        let percent = (number * 10_000).rounded() / 100
        return percent == percent.rounded() ? String(Int(percent)) : String(percent)
    }
}
