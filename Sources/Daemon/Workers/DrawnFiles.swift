import StickerContainers
import StickerValues
import Synchronization

/// The pictures of marks that are SVG files, so that each is drawn once and not for every sticker.
final class DrawnFiles: Sendable {
    /// The result for a file.
    struct Drawn: Sendable {
        /// The bytes of a PNG.
        var bytes: [UInt8]
        /// Differences from the file.
        var remarks: [String]
    }

    /// A file that cannot be drawn.
    struct Fault: Error, CustomStringConvertible {
        /// The index of its mark.
        var index: Int
        var refusal: Refusal

        var description: String { "\(refusal.detail); \(refusal.remedy)" }
    }

    private let files = Mutex<[ContentHash: Drawn]>([:])

    /// Replaces the SVG files among marks by pictures, which keep the hashes of the files: recipes do not depend on the
    /// drawing program.
    ///
    /// - Parameters:
    ///   - marks: marks with their files read.
    ///   - draw: draws a file that is not known yet.
    /// - Returns: differences from the files, by the index of the mark.
    /// - Throws: `Fault`, or errors of `draw` other than refusals.
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
        // Other threads that need the same file wait for it.
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

    /// Forgets all others, so that memory is bounded by what one configuration may have.
    func keep(_ wanted: Set<ContentHash>) {
        files.withLock { known in known = known.filter { wanted.contains($0.key) } }
    }
}

extension FileContent {
    /// Whether it is an SVG.
    var isDrawing: Bool { ImageFormat.sniff(SourceBytes(bytes)) == .picture(.svg) }
}
