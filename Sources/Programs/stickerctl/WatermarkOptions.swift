import ArgumentParser
import FoundationEssentials
import StickerConfiguration
import StickerValues

/// A mark from the command line; the configuration checks it.
struct WatermarkOptions: ParsableArguments {
    @Option(help: ArgumentHelp("A picture or animation.", valueName: "file"))
    var image: String?

    @Option(help: ArgumentHelp("A flat colour.", valueName: "#RRGGBB[AA]"))
    var color: String?

    @Option(help: ArgumentHelp("Pixels in RGBA without a header.", valueName: "file"))
    var raw: String?

    @Option(help: ArgumentHelp("The size in pixels.", valueName: "width>x<height"))
    var rawSize: String?

    @Flag(help: "Their colours are multiplied by alpha.")
    var premultiplied = false

    @Flag(help: "Their bottom row comes first.")
    var flipVertically = false

    @Option(help: "Words.")
    var text: String?

    @Option(help: ArgumentHelp("Their font, without a size.", valueName: "name"))
    var font: String?

    @Option(help: ArgumentHelp("Its height, on a canvas of 512 pixels.", valueName: "pixels"))
    var fontSize: Double?

    @Option(help: ArgumentHelp("Their colour.", valueName: "#RRGGBB[AA]"))
    var textColor: String?

    @Option(help: ArgumentHelp("The width of a border around them.", valueName: "pixels"))
    var stroke: Double?

    @Option(help: ArgumentHelp("The colour of that border.", valueName: "#RRGGBB"))
    var strokeColor: String?

    @Option(parsing: .unconditional, help: "The width as a part of the canvas, 0 to 1.")
    var width: Double?

    @Option(parsing: .unconditional, help: "The height as a part of the canvas, 0 to 1.")
    var height: Double?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Where it lies: 0,0 at the top left, 1,1 at the bottom right, which is the default.",
            valueName: "x,y"))
    var anchor: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Added to that, as a part of the canvas, -1 to 1.", valueName: "x,y"))
    var offset: String?

    @Option(parsing: .unconditional, help: "0 is invisible, 1 as it is.")
    var opacity: Double?

    @Option(help: "relative, or imgly: size, inset and alignment as in the editors of IMG.LY.")
    var style: String?

    @Option(
        parsing: .unconditional,
        help: "Of the style imgly: its longer side, as a part of the canvas's shorter one.")
    var size: Double?

    @Option(
        parsing: .unconditional,
        help: "Of the style imgly: the distance from the edges, as a part of the same.")
    var inset: Double?

    @Option(help: "Of the style imgly: top-left, top-right, bottom-left, bottom-right, center.")
    var alignment: String?

    @Option(
        name: .customLong("keyframe"),
        help: ArgumentHelp(
            "The mark at a time, in order; may be repeated.",
            valueName: #"{"milliseconds": 0, ...}"#))
    var keyframes: [String] = []

    @Flag(help: "Let a moving mark animate stills.")
    var animate = false

    @Option(
        name: .customLong("on"),
        help: ArgumentHelp(
            "Mark only this target or role: sticker, rendition, companion, thumbnail, poster or "
                + "tray; may be repeated.",
            valueName: "name"))
    var on: [String] = []

    func validate() throws {
        let contents = [image, color, raw, text].compactMap(\.self)
        guard contents.count == 1 else {
            throw ValidationError(
                "choose the mark: --image FILE, --color, --raw FILE or --text WORDS")
        }
        let hasLook = [font, textColor, strokeColor].contains { $0 != nil }
        guard text != nil || (!hasLook && fontSize == nil && stroke == nil) else {
            throw ValidationError("font and border are those of a --text")
        }
        let numbers = [width, height, opacity, size, inset, fontSize, stroke].compactMap(\.self)
        guard numbers.allSatisfy(\.isFinite) else {
            throw ValidationError("a number is needed, and not NaN or infinity")
        }
        guard (raw == nil) == (rawSize == nil) else {
            throw ValidationError("--raw and --raw-size go together")
        }
        if let rawSize, pixelSize == nil {
            throw ValidationError("\(FileName.escaped(rawSize)) is not a size; write 200x100")
        }
        for point in [anchor, offset].compactMap(\.self) where Self.point(point) == nil {
            throw ValidationError("\(FileName.escaped(point)) is not a point; write 0.5,1")
        }
        for keyframe in keyframes where (try? JSONText(Array(keyframe.utf8))) == nil {
            throw ValidationError(
                #"\#(FileName.escaped(keyframe)) is not JSON; write {"milliseconds": 500, "opacity": 0}"#
            )
        }
    }

    /// The mark in the form of a configuration.
    ///
    /// - Parameters:
    ///   - name: its name.
    ///   - configuration: the file; paths beside or below it become relative to it.
    /// - Returns: an object on one line.
    /// - Throws: an encoding error.
    func json(_ name: String, beside configuration: String) throws -> String {
        var members = JSONMembers()
        try members.add("id", name)
        try members.add("image", image.map { Self.path($0, beside: configuration) })
        try members.add("color", color)
        if let raw, let pixelSize {
            var file = JSONMembers()
            try file.add("file", Self.path(raw, beside: configuration))
            try file.add("width", pixelSize.width)
            try file.add("height", pixelSize.height)
            try file.add("premultiplied", premultiplied ? true : nil)
            try file.add("flipVertically", flipVertically ? true : nil)
            members.add("raw", json: file.object)
        }
        if let text { members.add("text", json: try json(of: text)) }
        try members.add("width", width)
        try members.add("height", height)
        for (key, point) in [("anchor", anchor), ("offset", offset)] {
            guard let numbers = point.flatMap(Self.point) else { continue }
            let texts = try numbers.map { try jsonText($0) }
            members.add(key, json: "[\(texts.joined(separator: ", "))]")
        }
        try members.add("opacity", opacity)
        try members.add("style", style)
        try members.add("size", size)
        try members.add("inset", inset)
        try members.add("alignment", alignment)
        if !keyframes.isEmpty {
            members.add("keyframes", json: "[\(keyframes.joined(separator: ", "))]")
        }
        try members.add("animate", animate ? true : nil)
        try members.add("on", on.isEmpty ? nil : on)
        return members.object
    }

    private func json(of text: String) throws -> String {
        var members = JSONMembers()
        try members.add("text", text)
        try members.add("font", font)
        try members.add("size", fontSize)
        try members.add("color", textColor)
        if stroke != nil || strokeColor != nil {
            var border = JSONMembers()
            try border.add("pixels", stroke)
            try border.add("color", strokeColor)
            members.add("stroke", json: border.object)
        }
        return members.object
    }

    private var pixelSize: PixelSize? {
        let sides = (rawSize ?? "").split(separator: "x", omittingEmptySubsequences: false)
        guard sides.count == 2, let width = Int(sides[0]), let height = Int(sides[1]) else {
            return nil
        }
        return PixelSize(width: width, height: height)
    }

    private static func point(_ text: String) -> [Double]? {
        let numbers = text.split(separator: ",", omittingEmptySubsequences: false)
            .compactMap { Double($0) }
        return numbers.count == 2 && numbers.allSatisfy(\.isFinite) ? numbers : nil
    }

    /// A path relative to the current folder, made relative to that of the configuration if it is inside.
    private static func path(_ given: String, beside configuration: String) -> String {
        let path = ConfigurationFile.absolute(
            given, from: FileManager.default.currentDirectoryPath)
        let folder = configuration.lastIndex(of: "/").map { configuration[...$0] } ?? ""
        return path.hasPrefix(folder) ? String(path.dropFirst(folder.count)) : path
    }
}

/// The members of a JSON object, in order.
private struct JSONMembers {
    private var members: [String] = []

    /// The object on one line.
    var object: String { "{ \(members.joined(separator: ", ")) }" }

    mutating func add(_ key: String, _ value: (some Encodable)?) throws {
        if let value { add(key, json: try jsonText(value)) }
    }

    mutating func add(_ key: String, json: String) { members.append("\"\(key)\": \(json)") }
}

extension Watermark {
    /// The mark in one line.
    var shown: String {
        let what =
            switch content {
            case .color(let color):
                "colour #"
                    + (0..<4).map {
                        let text = String(color[$0], radix: 16, uppercase: true)
                        return text.count < 2 ? "0" + text : text
                    }.joined()
            case .image(let file): "picture \(FileName.escaped(file.path))"
            case .text(let text, _):
                "text \(JSONText.quoted(text.text)) in \(FileName.escaped(text.font))"
            case .raw(let file, let pixels): "pixels \(pixels.size) \(FileName.escaped(file.path))"
            }
        var words = ["\(FileName.escaped(id)): \(what)"]
        if let imgly {
            words.append("size \(imgly.size), inset \(imgly.inset), \(imgly.alignment.rawValue)")
        } else {
            if let width { words.append("width \(width)") }
            if let height { words.append("height \(height)") }
            words.append("at \(anchor.x),\(anchor.y)")
            if offset != Point(x: 0, y: 0) { words.append("offset \(offset.x),\(offset.y)") }
        }
        if opacity != 1 { words.append("opacity \(opacity)") }
        if !keyframes.isEmpty {
            words.append(keyframes.count.counted("keyframe", "keyframes"))
        }
        if animates { words.append("stills move") }
        if !on.isEmpty { words.append("on \(on.joined(separator: ", "))") }
        return words.joined(separator: ", ")
    }
}
