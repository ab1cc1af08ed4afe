import StickerHTTP
import StickerStore
import StickerSystem
import StickerValues

/// The order of the stickers of a category, as its `category.json` lists it.
struct ListOrder: Sendable {
    let desk: WordsDesk
    let operations: Operations

    /// Saves the order of the stickers that a page showed. Those that came meanwhile stay where they are, and those that
    /// left are left out.
    ///
    /// - Parameters:
    ///   - form: the paths of the stickers as JSON lists: in the new `order`, and as they were `shown`; and the mark of
    ///     the list in the file at that time, `listed`.
    ///   - category: their category.
    /// - Returns: the change, and what else is to be known about it.
    /// - Throws: `WebError` if somebody else has ordered them since, or `StoreError`.
    func save(
        _ form: [String: String], in category: CategoryID
    ) throws -> (WordsDesk.Result, String?) {
        let stickers = try operations.order(of: category)
        let present = stickers.map(\.path)
        let numbered = Set(stickers.filter(\.isNumbered).map(\.path))
        let shown = Self.paths(form["shown"])
        let wanted = Self.paths(form["order"])
        let common = Set(shown).intersection(present)
        guard !common.isEmpty, wanted.sorted() == shown.sorted(),
            present.filter(common.contains) == shown.filter(common.contains),
            let file = desk.file(try operations.wording(of: category)?.file)
        else { throw Self.isOther }
        var result = WordsDesk.Result()
        guard wanted != shown else { return (result, nil) }
        let list = Self.list(present, ordering: wanted.filter(common.contains))
        do throws(WordsFileError) {
            let change = try file.change { members throws(WordsFileError) in
                let listed = members["order"].texts.filter { !numbered.contains($0) }
                guard Self.mark(members) == form["listed"], Self.isRead(listed, present) else {
                    throw .changed
                }
                // Listed stickers of later pages, and pictures that are away, keep their places behind these.
                let known = Set(list)
                let others = members["order"].texts.filter { !known.contains($0) }
                return [("order", .array((list + others).map(JSONValue.string)))]
            }
            result.changes = [change].compactMap(\.self)
        } catch {
            if case .changed = error { throw Self.isOther }
            result.failures = [(.init(file: file, fields: [], texts: [:]), error)]
        }
        return (result, Self.remark(numbered.intersection(wanted).sorted()))
    }

    private static let isOther = WebError(
        status: 409,
        message: "nothing was saved: somebody else has ordered these stickers, or stickerd has not "
            + "read their present order yet",
        remedy: "load the page again when stickerd runs, and order what it shows then")

    /// `present` up to the last of `wanted`, with these in their new order where any of them was; each name once.
    private static func list(_ present: [String], ordering wanted: [String]) -> [String] {
        let moved = Set(wanted)
        var next = wanted.makeIterator()
        var (list, seen): ([String], Set<String>) = ([], [])
        let end = (present.lastIndex(where: moved.contains) ?? -1) + 1
        for path in present.prefix(end) {
            let path = moved.contains(path) ? next.next() ?? path : path
            if seen.insert(path).inserted { list.append(path) }
        }
        return list
    }

    /// Whether the daemon has put the stickers in the order of the file.
    private static func isRead(_ listed: [String], _ present: [String]) -> Bool {
        let known = Set(present)
        let named = listed.filter(known.contains)
        // Two drops, or two spellings of an accent, may give two stickers one path.
        var open = Set(named)
        return present.filter { open.remove($0) != nil } == named
    }

    /// Identifies the list in a file.
    static func mark(_ members: JSONObject?) -> String {
        let list = (members?["order"]).texts
        return String(ContentHash(of: Array("\(list)".utf8)).rawValue.prefix(16))
    }

    private static func paths(_ text: String?) -> [String] {
        guard case .array(let items)? = try? JSONParser.parse(Array((text ?? "").utf8)) else {
            return []
        }
        return items.compactMap(\.asText)
    }

    /// Stickers with a number of their own stay where that says.
    private static func remark(_ numbered: [String]) -> String? {
        guard let one = numbered.first else { return nil }
        return
            "\(numbered.count.counted("sticker has", "stickers have")) a number in the order, which "
            + "counts instead: \(one)"
            + (numbered.count > 1 ? " and \(numbered.count - 1) more" : "")
    }
}

extension JSONValue? {
    /// The texts of a list.
    fileprivate var texts: [String] {
        guard case .array(let items) = self else { return [] }
        return items.compactMap(\.asText)
    }
}
