/// The text form of everything that affects a mark's look. Recipes contain it, so its wording never changes.
extension Watermark {
    /// All values besides the content that are not the defaults; without the name.
    package var words: String {
        var words = NamedWords()
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
        return words.text
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
    /// The content itself, by hash if it is in a file.
    package var text: String {
        switch self {
        case .color(let color): "color=\(color.x),\(color.y),\(color.z),\(color.w)"
        case .image(let file): "image=\(file.hashText)"
        case .raw(let file, let pixels):
            "raw=\(file.hashText) \(pixels.size)" + (pixels.isPremultiplied ? " premultiplied" : "")
                + (pixels.isFlipped ? " flipped" : "")
        case .text(let text, _): "text=\(text.recipe)"
        }
    }
}

extension MarkText {
    /// Its words and how they are drawn; not its pixels, so that a font upgrade does not make stickers again.
    fileprivate var recipe: String {
        var words = NamedWords()
        words.add("font", JSONText.quoted(font), unless: "\"Inter Bold\"")
        words.add("size", size.shortest, unless: "48")
        words.add("color", "\(color.x),\(color.y),\(color.z),\(color.w)", unless: "255,255,255,255")
        if strokePixels > 0 {
            words.add("stroke", strokePixels.shortest, unless: "")
            let color = strokeColor
            words.add("strokeColor", "\(color.x),\(color.y),\(color.z)", unless: "0,0,0")
        }
        return JSONText.quoted(text) + words.text
    }
}

extension WatermarkFile {
    fileprivate var hashText: String { content?.hash.rawValue ?? "" }
}

extension Double {
    /// Without needless decimals.
    package var shortest: String {
        self == rounded() && magnitude < 1e15 ? "\(Int(self))" : "\(self)"
    }
}
