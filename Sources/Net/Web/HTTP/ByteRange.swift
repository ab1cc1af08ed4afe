import StickerHTTP

/// A requested part of a file: RFC 9110, section 14.
enum ByteRange {
    /// Determines the part to send.
    ///
    /// Requests for several parts, or invalid ones, get the whole file, as that section allows.
    ///
    /// - Parameters:
    ///   - request: the request.
    ///   - tag: the file's tag.
    ///   - count: its bytes.
    /// - Returns: the part; `nil` for all of it.
    /// - Throws: `WebError` if there is no such part.
    static func asked(_ request: WebRequest, tag: String, count: Int) throws -> Range<Int>? {
        guard let header = request.header("range"), header.hasPrefix("bytes=") else { return nil }
        if let condition = request.header("if-range"), condition != tag { return nil }
        let ends = header.dropFirst(6).split(separator: "-", omittingEmptySubsequences: false)
            .map { $0.filter { $0 != " " } }
        guard ends.count == 2, ends.allSatisfy({ $0.allSatisfy { ("0"..."9").contains($0) } })
        else { return nil }
        let (first, last) = (Int(ends[0]), Int(ends[1]))
        let range: Range<Int>
        switch (first, last) {
        case (let first?, nil) where ends[1].isEmpty: range = first..<max(first, count)
        case (let first?, let last?):
            guard first <= last else { return nil }
            range = first..<max(first, min(last, count - 1) + 1)
        case (nil, let last?) where ends[0].isEmpty: range = max(0, count - last)..<count
        default: return nil
        }
        guard !range.isEmpty else {
            throw WebError(
                status: 416, message: "the file has no such part",
                remedy: "it has \(count) bytes", headers: [("Content-Range", "bytes */\(count)")])
        }
        return range
    }
}
