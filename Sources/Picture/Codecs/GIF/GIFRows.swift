/// The rows of a frame in the order in which the file stores them (GIF89a, appendix E).
struct GIFRows: Sequence, IteratorProtocol {
    private struct Pass {
        let start: Int
        let step: Int
    }

    private static let interlaced = [
        Pass(start: 0, step: 8), Pass(start: 4, step: 8), Pass(start: 2, step: 4),
        Pass(start: 1, step: 2),
    ]

    private let height: Int
    private var passes: ArraySlice<Pass>
    private var row = 0

    init(_ frame: GIFSummary.Frame) {
        height = frame.rectangle.height
        passes = frame.isInterlaced ? Self.interlaced[...] : [Pass(start: 0, step: 1)]
    }

    mutating func next() -> Int? {
        while let pass = passes.first {
            if row < height {
                defer { row += pass.step }
                return row
            }
            passes.removeFirst()
            row = passes.first?.start ?? 0
        }
        return nil
    }
}
