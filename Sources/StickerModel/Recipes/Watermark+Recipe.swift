extension Watermark {
    /// All that changes pixels, and not its name or path. On what stands still, it is as at the beginning.
    func recipeLine(moves: Bool) -> String {
        guard moves || keyframes.isEmpty else {
            return at(milliseconds: 0).recipeLine(moves: false)
        }
        var words = RecipeText.Words()
        words.add("width", width?.shortest ?? "", unless: "")
        words.add("height", height?.shortest ?? "", unless: "")
        words.add("anchor", anchor.text, unless: "1,1")
        words.add("offset", offset.text, unless: "0,0")
        words.add("opacity", opacity.shortest, unless: "1")
        if let imgly {
            words.add("imgly", "\(imgly.size.shortest),\(imgly.inset.shortest)", unless: "")
            words.add("alignment", imgly.alignment.rawValue, unless: "")
        }
        words.add("keyframes", keyframes.map(\.text).joined(separator: ";"), unless: "")
        words.add("animate", animates, unless: false)
        return "mark \(content.text)\(words.text)"
    }
}

extension Watermark.Keyframe {
    fileprivate var text: String {
        let words = [
            width.map { "width:\($0.shortest)" }, height.map { "height:\($0.shortest)" },
            anchor.map { "anchor:\($0.text)" }, offset.map { "offset:\($0.text)" },
            opacity.map { "opacity:\($0.shortest)" },
        ]
        return ([String(milliseconds)] + words.compactMap(\.self)).joined(separator: "/")
    }
}

extension Watermark.Point {
    fileprivate var text: String { "\(x.shortest),\(y.shortest)" }
}

extension Watermark.Content {
    fileprivate var text: String {
        switch self {
        case .color(let color): "color=\(color.x),\(color.y),\(color.z),\(color.w)"
        case .image(let file): "image=\(file.hashText)"
        case .raw(let file, let pixels):
            "raw=\(file.hashText) \(pixels.size)" + (pixels.isPremultiplied ? " premultiplied" : "")
                + (pixels.isFlipped ? " flipped" : "")
        }
    }
}

extension WatermarkFile {
    fileprivate var hashText: String { content?.hash.rawValue ?? "" }
}

extension [Watermark] {
    /// Whether any of them makes stills move.
    public var animate: Bool { contains(where: \.mayAnimate) }
}

extension Watermark {
    /// Whether a still moves by it, as far as can be told without decoding it.
    fileprivate var mayAnimate: Bool {
        guard animates else { return false }
        if case .image = content { return true }
        return hasMotion
    }
}

extension Recipe {
    /// The marks that the file for a target wears.
    public func marks(of target: Target) -> [Watermark] {
        let role = target.name == targets[0].name ? StickerFile.Role.sticker : .rendition
        return settings.watermarks.filter { $0.isOn(role, target.name) }
    }

    /// The marks that a side file of a role wears.
    public func marks(on role: StickerFile.Role) -> [Watermark] {
        settings.watermarks.filter { $0.isOn(role, nil) }
    }

    /// Whether the sticker of a still may move by a mark.
    var mayAnimateStills: Bool { targets[0].moving != nil && marks(of: targets[0]).animate }
}

extension StickerSettings {
    /// What marks name in `on`: targets, of which each has files of its own, and roles.
    public var targetsNamedByMarks: Set<String> { Set(watermarks.flatMap(\.on)) }
}
