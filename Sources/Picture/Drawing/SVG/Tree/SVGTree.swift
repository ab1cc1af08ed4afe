import CXML2
import Glibc
import StickerCodecs
import StickerValues

/// A drawing as a tree, read by libxml2, which librsvg also uses.
///
/// Entities are replaced; nothing outside the file is read. Comments and instructions are left out.
struct SVGTree {
    let root: SVGElement
    /// The number of elements, with entities replaced.
    let elements: Int

    /// Reads the XML; there is no tree if it is faulty.
    ///
    /// - Parameters:
    ///   - bytes: the file.
    ///   - textBytesMax: the greatest total length of texts and values: entities can multiply them.
    /// - Throws: `CodecError` if that is exceeded, or there are too many or too deeply nested elements with entities
    ///   replaced.
    init?(_ bytes: UnsafeRawBufferPointer, textBytesMax: Int) throws(CodecError) {
        // librsvg refuses external entities, too; no other part of this program reads XML.
        xmlSetExternalEntityLoader { _, _, _ in nil }
        let options =
            XML_PARSE_NOENT.rawValue | XML_PARSE_NONET.rawValue | XML_PARSE_NOCDATA.rawValue
            | XML_PARSE_NOERROR.rawValue | XML_PARSE_NOWARNING.rawValue
        guard
            let document = xmlReadMemory(
                bytes.assumingMemoryBound(to: CChar.self).baseAddress, Int32(bytes.count), nil, nil,
                Int32(options))
        else { return nil }
        defer { xmlFreeDoc(document) }
        guard let first = xmlDocGetRootElement(document) else { return nil }
        let counts = Counts(first)
        try SVGLimits.check(
            elements: counts.elements, depth: counts.depth,
            filterPrimitives: counts.filterPrimitives)
        var reader = Reader(document: document, bytesLeft: textBytesMax)
        let read = reader.element(first)
        try SVGLimits.check(
            textBytesMax - reader.bytesLeft, textBytesMax, "texts and values are too long", "bytes")
        try SVGLimits.check(
            reader.marks, Self.marksMax, "a letter has too many marks on it", "marks")
        guard let read, read.name == "svg" else { return nil }
        root = read
        elements = counts.elements
    }

    /// Comparing texts sorts them, which takes quadratic time.
    private static let marksMax = 128

    /// The elements with an `id`, the first of each.
    func elementsByID() -> [String: SVGElement] {
        var found: [String: SVGElement] = [:]
        root.visit { element in
            guard let id = element["id"], found[id] == nil else { return }
            found[id] = element
        }
        return found
    }

    /// The drawing as a file in UTF-8.
    func bytes() -> [UInt8] {
        var text = ""
        Self.write(root, to: &text)
        return Array(text.utf8)
    }

    private static func write(_ element: SVGElement, to text: inout String) {
        let name = element.prefix.isEmpty ? element.name : "\(element.prefix):\(element.name)"
        text += "<\(name)"
        for attribute in element.attributes {
            let prefix = attribute.prefix.isEmpty ? "" : "\(attribute.prefix):"
            text += " \(prefix)\(attribute.name)=\"\(escaped(attribute.value))\""
        }
        guard !element.children.isEmpty else {
            text += "/>"
            return
        }
        text += ">"
        for child in element.children {
            switch child {
            case .element(let element): write(element, to: &text)
            case .text(let words): text += escaped(words)
            }
        }
        text += "</\(name)>"
    }

    private static func escaped(_ text: String) -> String {
        guard text.utf8.contains(where: { needsEscape($0) }) else { return text }
        return text.unicodeScalars.reduce(into: "") { result, scalar in
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "\n", "\r", "\t": result += "&#\(scalar.value);"
            default: result.unicodeScalars.append(scalar)
            }
        }
    }

    private static func needsEscape(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "&"), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\""), 9, 10, 13:
            true
        default: false
        }
    }
}

/// The amounts with entities replaced, counted without recursion.
private struct Counts {
    private(set) var elements = 0
    private(set) var depth = 0
    private(set) var filterPrimitives = 0

    init(_ root: xmlNodePtr) {
        var open = [(node: root, depth: 1)]
        while let last = open.popLast() {
            elements += 1
            depth = max(depth, last.depth)
            if Self.isFilterPrimitive(last.node) { filterPrimitives += 1 }
            var child = last.node.pointee.children
            while let next = child {
                if next.pointee.type == XML_ELEMENT_NODE { open.append((next, last.depth + 1)) }
                child = next.pointee.next
            }
        }
    }

    private static func isFilterPrimitive(_ node: xmlNodePtr) -> Bool {
        guard let name = node.pointee.name else { return false }
        return name[0] == UInt8(ascii: "f") && name[1] == UInt8(ascii: "e") && name[2] != 0
    }
}

/// Converts the nodes of libxml2.
private struct Reader {
    let document: xmlDocPtr
    var bytesLeft: Int
    /// The most marks on one letter.
    private(set) var marks = 0

    init(document: xmlDocPtr, bytesLeft: Int) {
        (self.document, self.bytesLeft) = (document, bytesLeft)
    }

    private static let namespace = "http://www.w3.org/2000/svg"

    mutating func element(_ node: xmlNodePtr) -> SVGElement? {
        let space = node.pointee.ns.flatMap { string($0.pointee.href) }
        let element = SVGElement(
            string(node.pointee.name) ?? "",
            prefix: node.pointee.ns.flatMap { string($0.pointee.prefix) } ?? "",
            isSVG: space == nil || space == Self.namespace, attributes: attributes(of: node))
        var child = node.pointee.children
        while let next = child {
            switch next.pointee.type {
            case XML_ELEMENT_NODE:
                guard let inner = self.element(next) else { return nil }
                element.append(inner)
            case XML_TEXT_NODE, XML_CDATA_SECTION_NODE:
                element.append(string(next.pointee.content) ?? "")
            default: break
            }
            child = next.pointee.next
        }
        return bytesLeft >= 0 ? element : nil
    }

    private mutating func attributes(of node: xmlNodePtr) -> [SVGElement.Attribute] {
        var found: [SVGElement.Attribute] = []
        var declared = node.pointee.nsDef
        while let space = declared?.pointee {
            let (prefix, address) = (string(space.prefix), string(space.href) ?? "")
            found.append(
                .init(
                    name: prefix ?? "xmlns", prefix: prefix == nil ? "" : "xmlns", value: address))
            declared = space.next
        }
        var attribute = node.pointee.properties
        while let next = attribute?.pointee {
            found.append(
                .init(
                    name: string(next.name) ?? "",
                    prefix: next.ns.flatMap { string($0.pointee.prefix) } ?? "", value: value(next))
            )
            attribute = next.next
        }
        return found
    }

    private mutating func value(_ attribute: xmlAttr) -> String {
        guard let first = attribute.children else { return "" }
        if first.pointee.next == nil, first.pointee.type == XML_TEXT_NODE {
            return string(first.pointee.content) ?? ""
        }
        let whole = xmlNodeListGetString(document, first, 1)
        defer { free(whole) }
        return string(whole) ?? ""
    }

    private mutating func string(_ text: UnsafePointer<xmlChar>?) -> String? {
        guard let text, bytesLeft >= 0 else { return nil }
        let result = String(cString: text)
        bytesLeft -= result.utf8.count
        if result.utf8.contains(where: { $0 >= 0x80 }) {
            marks = max(marks, result.marksOnOneLetter)
        }
        return result
    }
}
