import StickerContainers
import StickerModel
import Synchronization

/// The pictures of marks that are SVG files, so that each is drawn once and not for every sticker.
final class DrawnFiles: Sendable {
    /// What was made of a file.
    struct Drawn: Sendable {
        /// The bytes of a PNG.
        var bytes: [UInt8]
        /// What is not as in the file.
        var remarks: [String]
    }

    /// A file that cannot be drawn.
    struct Fault: Error, CustomStringConvertible {
        /// That of its mark.
        var index: Int
        var refusal: Refusal

        var description: String { "\(refusal.detail); \(refusal.remedy)" }
    }

    private let files = Mutex<[ContentHash: Drawn]>([:])

    /// Puts pictures in place of the SVG files among marks. They keep the hashes of these files: recipes do not depend on
    /// the program that draws.
    ///
    /// - Parameters:
    ///   - marks: marks whose files were read.
    ///   - draw: draws a file that is not known yet.
    /// - Returns: what is not as in the files, by the index of the mark.
    /// - Throws: `Fault`, or what `draw` throws besides refusals.
    @discardableResult
    func draw(
        _ marks: inout [Watermark], by draw: (FileContent) throws -> Drawn
    ) throws -> [(index: Int, remark: String)] {
        var remarks: [(Int, String)] = []
        for index in marks.indices {
            guard case .image(var file) = marks[index].content, let content = file.content,
                content.isDrawing
            else { continue }
            let drawn = try self.drawn(content, at: index, by: draw)
            file.content = FileContent(bytes: drawn.bytes, hash: content.hash)
            marks[index].content = .image(file)
            remarks += drawn.remarks.map { (index, $0) }
        }
        return remarks
    }

    private func drawn(
        _ content: FileContent, at index: Int, by draw: (FileContent) throws -> Drawn
    ) throws -> Drawn {
        // Whoever needs the same file waits for it.
        try files.withLock { known in
            if let drawn = known[content.hash] { return drawn }
            do {
                let drawn = try draw(content)
                known[content.hash] = drawn
                return drawn
            } catch let refusal as Refusal {
                throw Fault(index: index, refusal: refusal)
            }
        }
    }

    /// Forgets all others, so that what is kept is bounded by what one configuration may have.
    func keep(_ wanted: Set<ContentHash>) {
        files.withLock { known in known = known.filter { wanted.contains($0.key) } }
    }
}

extension FileContent {
    /// Whether it is an SVG.
    var isDrawing: Bool { ImageFormat.sniff(SourceBytes(bytes)) == .picture(.svg) }
}
