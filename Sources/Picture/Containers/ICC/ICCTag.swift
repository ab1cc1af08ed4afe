/// The data of one tag of an ICC profile (ICC.1:2010, clause 10): whether its tables lie inside it.
///
/// Types that declare no sizes of their own have no fault.
struct ICCTag {
    private let bytes: UnsafeRawBufferPointer

    /// `bytes` begin with the type and are at least 8.
    init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    /// The fault, or an unreasonable cost.
    var fault: String? {
        if bytes.has("mpet") { return "it has processing elements" }
        if bytes.has("curv") { return curvesFault(at: 0, count: 1) }
        if bytes.has("mft1") { return tableFault(bytesPerEntry: 1) }
        if bytes.has("mft2") { return tableFault(bytesPerEntry: 2) }
        if bytes.has("mAB ") { return chainFault(curvesBehindTable: output, before: input) }
        if bytes.has("mBA ") { return chainFault(curvesBehindTable: input, before: output) }
        return nil
    }

    // MARK: Curves

    /// The offset after a curve that lies inside the tag.
    private func curveEnd(at start: Int) -> Int? {
        let end: Int
        if bytes.has("curv", at: start), let count = bytes.bigEndian32(at: start + 8) {
            guard count <= ICCOutline.curveEntriesMax else { return nil }
            end = start + 12 + 2 * count
        } else if bytes.has("para", at: start), let kind = bytes.bigEndian16(at: start + 8),
            kind < Self.parameterCounts.count
        {
            end = start + 12 + 4 * Self.parameterCounts[kind]
        } else {
            return nil
        }
        return end <= bytes.count ? end : nil
    }

    /// The number of parameters of each kind of formula (table 68).
    static let parameterCounts = [1, 3, 4, 5, 7]

    // MARK: Tables

    private var input: Int { Int(bytes.byte(at: 8) ?? 0) }
    private var output: Int { Int(bytes.byte(at: 9) ?? 0) }

    private var channelsFault: String? {
        let range = 1...ICCOutline.channelsMax
        guard range.contains(input), range.contains(output) else {
            return "a table has \(input) and \(output) channels"
        }
        return nil
    }

    /// `mft1` and `mft2`: header, matrix, input curves, grid, output curves, all with the same precision.
    private func tableFault(bytesPerEntry: Int) -> String? {
        if let channelsFault { return channelsFault }
        guard let grid = bytes.byte(at: 10), grid >= 2 else { return "a table has no grid" }
        var (start, inputEntries, outputEntries) = (48, 256, 256)
        if bytesPerEntry == 2 {
            guard let before = bytes.bigEndian16(at: 48), let behind = bytes.bigEndian16(at: 50),
                before <= ICCOutline.curveEntriesMax, behind <= ICCOutline.curveEntriesMax
            else { return "a curve of a table is too large" }
            (start, inputEntries, outputEntries) = (52, before, behind)
        }
        let nodes = Array(repeating: Int(grid), count: input).reduce(1, *)
        let entries = inputEntries * input + nodes * output + outputEntries * output
        return start + entries * bytesPerEntry <= bytes.count ? nil : Self.tooLarge
    }

    private static let tooLarge = "a table is larger than its tag"

    /// `mAB ` and `mBA `: curves, a matrix, curves, a grid and curves, each at an offset or absent.
    private func chainFault(curvesBehindTable behind: Int, before: Int) -> String? {
        if let channelsFault { return channelsFault }
        guard let matrix = bytes.bigEndian32(at: 16), let grid = bytes.bigEndian32(at: 24),
            let sideCurves = bytes.bigEndian32(at: 12), let middle = bytes.bigEndian32(at: 20),
            let tableCurves = bytes.bigEndian32(at: 28)
        else { return "a chain of curves is cut off" }
        if matrix != 0, matrix > bytes.count - 48 { return "a matrix lies outside its tag" }
        // A part at 0 is absent.
        for (start, count) in [(sideCurves, behind), (middle, behind), (tableCurves, before)]
        where start != 0 {
            if let fault = curvesFault(at: start, count: count) { return fault }
        }
        return gridFault(at: grid)
    }

    private func curvesFault(at start: Int, count: Int) -> String? {
        var offset = start
        for _ in 0..<count {
            guard let end = curveEnd(at: offset) else { return "a curve is larger than its tag" }
            offset = (end + 3) & ~3
        }
        return nil
    }

    /// 16 numbers of grid points, bytes per entry, padding, entries.
    private func gridFault(at start: Int) -> String? {
        guard start != 0 else { return nil }
        guard let precision = bytes.byte(at: start + 16), precision == 1 || precision == 2 else {
            return "a table has entries of unknown size"
        }
        var entries = output
        for channel in 0..<input {
            let points = Int(bytes[start + channel])
            guard points >= 2 else { return "a table has no grid" }
            entries *= points
        }
        return entries * Int(precision) <= bytes.count - start - 20 ? nil : Self.tooLarge
    }
}
