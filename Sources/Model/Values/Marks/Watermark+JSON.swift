/// The files and targets that marks may name.
package enum MarkScope: Sendable {
    /// Any files, and these targets: marks of the configuration.
    case operators(targets: [String])
    /// Pictures of the folder of marks: marks of the look of a category. Without rules, any names.
    case looks(LookRules?)

    fileprivate var targets: [String]? {
        switch self {
        case .operators(let targets): targets
        case .looks(let rules): rules?.targets
        }
    }
}

extension ObjectReader {
    /// Reads a list of marks. Of several with one id the last counts.
    package mutating func watermarks(
        _ key: String, _ target: inout [Watermark], in scope: MarkScope
    ) {
        let findings = findings
        var found: [Watermark] = []
        let blank = Watermark(id: "", .color(SIMD4(repeating: 0)))
        array(key, &found, countMax: Watermark.countMax) { reader in
            var mark = blank
            return reader.isSound({ mark.read(&$0, in: scope) }) ? mark : blank
        }
        guard members[key] != nil else { return }
        target = found.enumerated().filter { index, mark in
            let isLast = !found[(index + 1)...].contains { $0.id == mark.id }
            if !isLast, !mark.id.isEmpty {
                findings.warn("\(subpath(key))[\(index)]", "a later one has the same id and counts")
            }
            return isLast
        }.map(\.element)
    }

    /// Reads a number; clamps it to `range` with a warning.
    fileprivate mutating func fraction(
        _ key: String, _ target: inout Double?, in range: ClosedRange<Double>
    ) {
        var number = 0.0
        guard members[key] != nil, members[key] != .null else {
            _ = take(key)
            return
        }
        guard isSound({ $0.number(key, &number, in: -1e9...1e9) }) else { return }
        target = clamped(number, to: range, subpath(key))
    }

    fileprivate mutating func point(
        _ key: String, _ target: inout Watermark.Point, in range: ClosedRange<Double>
    ) {
        var found: Watermark.Point?
        optionalPoint(key, &found, in: range)
        target = found ?? target
    }

    fileprivate mutating func optionalPoint(
        _ key: String, _ target: inout Watermark.Point?, in range: ClosedRange<Double>
    ) {
        guard let value = take(key), value != .null else { return }
        guard case .array(let items) = value, items.count == 2, let x = items[0].asNumber,
            let y = items[1].asNumber
        else { return fault(key, value, "a list of two numbers, across and down") }
        target = Watermark.Point(
            x: clamped(x, to: range, "\(subpath(key))[0]"),
            y: clamped(y, to: range, "\(subpath(key))[1]"))
    }

    fileprivate mutating func color(_ key: String) -> SIMD4<UInt8>? {
        guard let value = take(key) else { return nil }
        switch value {
        case .string(let text):
            if let color = ColorCode.parseWithAlpha(text) { return color }
        case .array(let items):
            let numbers = items.compactMap(\.asNumber)
            guard 3...4 ~= items.count, numbers.count == items.count else { break }
            var color = SIMD4<UInt8>(repeating: 255)
            for (index, number) in numbers.enumerated() {
                let part = clamped(number, to: 0...1, "\(subpath(key))[\(index)]")
                color[index] = UInt8((part * 255).rounded())
            }
            return color
        default: break
        }
        fault(key, value, "a colour as #RRGGBB, #RRGGBBAA or three or four numbers from 0 to 1")
        return nil
    }

    private func clamped(
        _ value: Double, to range: ClosedRange<Double>, _ path: String
    ) -> Double {
        let inside = min(range.upperBound, max(range.lowerBound, value))
        if inside != value {
            findings.warn(
                path, "is \(value.shortest), taken as \(inside.shortest)")
        }
        return inside
    }
}

extension Watermark {
    fileprivate mutating func read(_ reader: inout ObjectReader, in scope: MarkScope) {
        reader.string("id", &id, "a name of 1 to 64 characters") { 1...64 ~= $0.count }
        if reader.members["id"] == nil { reader.note("id", "is missing; each mark needs a name") }
        readContent(&reader, in: scope)
        readPlace(&reader)
        var opacity: Double?
        reader.fraction("opacity", &opacity, in: 0...1)
        self.opacity = opacity ?? self.opacity
        readKeyframes(&reader)
        reader.bool("animate", &animates)
        if let targets = scope.targets {
            reader.names(
                "on", &on, of: Self.kinds + Self.roles + targets.sorted(), canBeEmpty: true)
        } else {
            reader.strings("on", &on, "a list of names") { _ in true }
        }
    }

    private enum Style: String, CaseIterable { case relative, imgly }
    private static let relativeKeys = ["width", "height", "anchor", "offset"]
    private static let imglyKeys = ["size", "inset", "alignment"]
    private static let kinds = Kind.allCases.map(\.rawValue)
    private static let roles = StickerFile.Role.allCases.map(\.rawValue)

    private mutating func readPlace(_ reader: inout ObjectReader) {
        var style = Style.relative
        reader.choice("style", &style)
        reader.fraction("width", &width, in: 0...1)
        reader.fraction("height", &height, in: 0...1)
        reader.point("anchor", &anchor, in: 0...1)
        reader.point("offset", &offset, in: -1...1)
        var place = IMGLYPlace()
        var (size, inset): (Double?, Double?)
        reader.fraction("size", &size, in: 0...1)
        reader.fraction("inset", &inset, in: 0...0.5)
        (place.size, place.inset) = (size ?? place.size, inset ?? place.inset)
        reader.choice("alignment", &place.alignment)
        if style == .imgly { imgly = place }

        let others = style == .imgly ? Self.relativeKeys : Self.imglyKeys
        let own = style == .imgly ? Self.imglyKeys : Self.relativeKeys
        for key in others where reader.members[key] != nil {
            reader.note(
                key,
                "is not for the style \(style.rawValue), which has \(own.joined(separator: ", "))")
        }
        guard reader.members["color"] != nil, case .color = content else { return }
        if style == .imgly {
            reader.note("color", "has no shape of its own; the style relative gives it one")
        } else if width == nil || height == nil {
            reader.note("color", "has no size of its own; give width and height")
        }
    }

    private mutating func readKeyframes(_ reader: inout ObjectReader) {
        let hasPlace = imgly == nil
        var last = -1
        reader.array("keyframes", &keyframes, countMax: Self.keyframesMax) { reader in
            var keyframe = Keyframe(milliseconds: 0)
            reader.integer("milliseconds", &keyframe.milliseconds, in: 0...Self.millisecondsMax)
            if reader.members["milliseconds"] == nil {
                reader.note("milliseconds", "is missing; each keyframe has its time")
            } else if keyframe.milliseconds <= last {
                reader.note("milliseconds", "is not later than that of the keyframe before it")
            }
            last = keyframe.milliseconds
            reader.fraction("width", &keyframe.width, in: 0...1)
            reader.fraction("height", &keyframe.height, in: 0...1)
            reader.optionalPoint("anchor", &keyframe.anchor, in: 0...1)
            reader.optionalPoint("offset", &keyframe.offset, in: -1...1)
            reader.fraction("opacity", &keyframe.opacity, in: 0...1)
            for key in Self.relativeKeys where !hasPlace && reader.members[key] != nil {
                reader.note(key, "is not for the style imgly, where only the opacity changes")
            }
            return keyframe
        }
    }

    private mutating func readContent(_ reader: inout ObjectReader, in scope: MarkScope) {
        var contents: [Content] = []
        if let path = Self.image(&reader, in: scope) {
            contents.append(.image(WatermarkFile(path: path)))
        }
        if let color = reader.color("color") { contents.append(.color(color)) }
        if case .operators = scope { Self.raw(&reader).map { contents.append($0) } }
        reader.object("text") { reader in
            var text = MarkText("")
            text.read(&reader)
            contents.append(.text(text, nil))
        }
        let known =
            if case .operators = scope { ["image", "color", "raw", "text"] } else {
                ["image", "color", "text"]
            }
        let given = known.filter { reader.members[$0] != nil }
        guard given.count == 1 else {
            let keys = known.dropLast().joined(separator: ", ")
            return reader.note(
                "image", "give one of \(keys) and text, not \(given.count)")
        }
        if let only = contents.first { content = only }
    }

    /// The file of a picture; a look names one of the folder of marks.
    private static func image(_ reader: inout ObjectReader, in scope: MarkScope) -> String? {
        var path = ""
        guard case .looks(let rules) = scope else {
            reader.string("image", &path, "a file", where: isPath)
            return path.isEmpty ? nil : path
        }
        reader.string("image", &path, "the name of a file, without a folder") {
            isPath($0) && !$0.unicodeScalars.contains("/")
        }
        guard !path.isEmpty else { return nil }
        if let fault = rules?.fault(ofMark: path) {
            reader.note("image", fault)
            return nil
        }
        return path
    }

    private static func raw(_ reader: inout ObjectReader) -> Content? {
        var content: Content?
        reader.object("raw") { reader in
            var (file, pixels) = ("", RawPixels(size: PixelSize(width: 0, height: 0)))
            reader.string("file", &file, "a file", where: isPath)
            reader.integer("width", &pixels.size.width, in: 1...rawSideMax)
            reader.integer("height", &pixels.size.height, in: 1...rawSideMax)
            reader.bool("premultiplied", &pixels.isPremultiplied)
            reader.bool("flipVertically", &pixels.isFlipped)
            for key in ["file", "width", "height"] where reader.members[key] == nil {
                reader.note(key, "is missing; pixels without a header need it")
            }
            content = .raw(WatermarkFile(path: file), pixels)
        }
        return content
    }

    /// The largest file has this many pixels of four bytes.
    private static let rawSideMax = 65_536

    private static func isPath(_ text: String) -> Bool {
        !text.isEmpty && !text.unicodeScalars.contains("\0")
    }
}

extension MarkText {
    fileprivate mutating func read(_ reader: inout ObjectReader) {
        reader.string("text", &text, "words") { _ in true }
        reader.string("font", &font, "a font") { _ in true }
        // Its own faults name the limits.
        reader.number("size", &size, in: -1e9...1e9)
        if let color = reader.color("color") { self.color = color }
        reader.object("stroke") { reader in
            reader.number("pixels", &strokePixels, in: -1e9...1e9)
            var color = "#000000"
            reader.string("color", &color, ColorCode.wanted, where: ColorCode.isColor)
            strokeColor = ColorCode.parse(color) ?? strokeColor
        }
        for fault in faults where fault.path != "text" || reader.members["text"] != nil {
            let key = fault.path == "strokePixels" ? "stroke.pixels" : fault.path
            reader.note(key, fault.message)
        }
        if reader.members["text"] == nil { reader.note("text", "is missing; it has the words") }
    }
}

extension Findings {
    fileprivate func warn(_ path: String, _ message: String) {
        warnings.append(JSONFault(path: path, message: message))
    }
}
