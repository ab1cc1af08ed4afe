package import StickerValues

/// The directories of a TIFF file (TIFF 6.0, section 2; also those with offsets of 64 bits, BigTIFF), as
/// far as they lie inside it. Nothing is decoded.
package struct TIFFOutline {
    /// The most pages that are counted.
    package static let pagesMax = 1000

    /// The size of the page that is read: the first one that is no reduced copy of another.
    package private(set) var size: PixelSize
    /// The number of the page's directory, counted from 0.
    package private(set) var directory = 0
    /// How many directories are pages and no reduced copies, 1...`pagesMax`.
    package private(set) var pages = 0
    /// Whether the samples of the page are inks: cyan, magenta, yellow and black.
    package private(set) var isCMYK = false
    /// Whether every strip or tile of the page, and every directory, lies inside the file.
    package private(set) var isWhole: Bool

    /// Whether `bytes` begin as a TIFF.
    package static func begins(_ bytes: UnsafeRawBufferPointer) -> Bool {
        [0x4949_2A00, 0x4D4D_002A, 0x4949_2B00, 0x4D4D_002B].contains(bytes.bigEndian32(at: 0) ?? 0)
    }

    /// `nil` if there is no first directory, or the page has no size.
    package init?(_ bytes: UnsafeRawBufferPointer) {
        let (all, isComplete) = TIFFDirectory.walk(bytes)
        guard let first = all.first else { return nil }
        let own = all.indices.filter { !all[$0].isReducedCopy }
        directory = own.first ?? 0
        let page = own.first.map { all[$0] } ?? first
        guard let width = page.number(256), let height = page.number(257) else { return nil }
        size = PixelSize(width: width, height: height)
        isCMYK = page.number(262) == 5
        pages = max(1, own.count)
        isWhole = page.areUnitsInside && isComplete
    }
}

/// Numbers in the byte order of a file.
private struct Numbers {
    let bytes: UnsafeRawBufferPointer
    let isLittle: Bool
    /// Whether offsets have 64 bits.
    let isBig: Bool

    init(_ bytes: UnsafeRawBufferPointer) {
        self.bytes = bytes
        isLittle = bytes.has("II")
        isBig = bytes.byte(at: isLittle ? 2 : 3) == 43
    }

    var firstDirectory: Int? { offset(at: isBig ? 8 : 4) }

    func short(_ offset: Int) -> Int? {
        isLittle ? bytes.littleEndian16(at: offset) : bytes.bigEndian16(at: offset)
    }

    func long(_ offset: Int) -> Int? {
        isLittle ? bytes.littleEndian32(at: offset) : bytes.bigEndian32(at: offset)
    }

    /// An offset or a count; `nil` also if it exceeds any file.
    func offset(at start: Int) -> Int? {
        guard isBig else { return long(start) }
        guard let first = long(start), let second = long(start + 4) else { return nil }
        let (high, low) = isLittle ? (second, first) : (first, second)
        return high == 0 ? low : nil
    }
}

/// One directory, which lies inside the file; EXIF has the same structure.
package struct TIFFDirectory {
    private let numbers: Numbers
    private let entries: Int
    private let start: Int
    private let entryBytes: Int

    /// Real ones have a few dozen.
    private static let entriesMax = 4096

    private init?(_ numbers: Numbers, at start: Int) {
        let count = numbers.isBig ? numbers.offset(at: start) : numbers.short(start)
        guard let count, count <= Self.entriesMax else { return nil }
        (self.numbers, entries) = (numbers, count)
        entryBytes = numbers.isBig ? 20 : 12
        self.start = start + (numbers.isBig ? 8 : 2)
        guard next != nil else { return nil }
    }

    /// The directories of `bytes` in order, at most `TIFFOutline.pagesMax`.
    package static func all(in bytes: UnsafeRawBufferPointer) -> [TIFFDirectory] {
        walk(bytes).found
    }

    /// The directories of `bytes`, and whether no further one lies outside them: a repeated one ends the walk, too.
    fileprivate static func walk(
        _ bytes: UnsafeRawBufferPointer
    ) -> (found: [TIFFDirectory], isComplete: Bool) {
        guard TIFFOutline.begins(bytes) else { return ([], false) }
        let numbers = Numbers(bytes)
        var found: [TIFFDirectory] = []
        var next = numbers.firstDirectory
        var seen: Set = [0]
        while found.count < TIFFOutline.pagesMax {
            guard let start = next, seen.insert(start).inserted else { return (found, next != nil) }
            guard let directory = TIFFDirectory(numbers, at: start) else { return (found, false) }
            found.append(directory)
            next = directory.next
        }
        return (found, true)
    }

    /// The start of the next one; 0 after the last.
    private var next: Int? { numbers.offset(at: start + entries * entryBytes) }

    /// The single value of a tag.
    fileprivate func number(_ tag: Int) -> Int? {
        values(tag).flatMap { $0.count == 1 ? value($0, 0) : nil }
    }

    /// The first of the values of a tag.
    package subscript(tag: Int) -> Int? {
        values(tag).flatMap { $0.count > 0 ? value($0, 0) : nil }
    }

    /// The place of the bytes of a tag.
    package func range(of tag: Int) -> Range<Int>? {
        values(tag).flatMap {
            Self.sizes[$0.type] == 1 ? $0.start..<($0.start + $0.count) : nil
        }
    }

    /// Whether it holds a smaller version of another page: NewSubfileType, or the older SubfileType.
    fileprivate var isReducedCopy: Bool {
        if let kind = number(254) { return kind & 1 == 1 }
        return number(255) == 2
    }

    /// Whether all strips or tiles, at least one, lie inside.
    fileprivate var areUnitsInside: Bool {
        guard let offsets = values(273) ?? values(324), let counts = values(279) ?? values(325),
            offsets.count == counts.count, offsets.count > 0
        else { return false }
        return (0..<offsets.count).allSatisfy { index in
            guard let offset = value(offsets, index), let count = value(counts, index) else {
                return false
            }
            return offset <= numbers.bytes.count && count <= numbers.bytes.count - offset
        }
    }

    private struct Values {
        var type: Int
        var count: Int
        var start: Int
    }

    /// The place of a tag's values: in the entry if they fit.
    private func values(_ tag: Int) -> Values? {
        for index in 0..<entries {
            let entry = start + index * entryBytes
            guard numbers.short(entry) == tag else { continue }
            guard let type = numbers.short(entry + 2), let size = Self.sizes[type],
                let count = numbers.offset(at: entry + 4)
            else { return nil }
            let place = entry + (numbers.isBig ? 12 : 8)
            let fits = count <= (numbers.isBig ? 8 : 4) / size
            guard let start = fits ? place : numbers.offset(at: place),
                start <= numbers.bytes.count, count <= (numbers.bytes.count - start) / size
            else { return nil }
            return Values(type: type, count: count, start: start)
        }
        return nil
    }

    /// BYTE, SHORT, LONG, UNDEFINED and LONG8.
    private static let sizes = [1: 1, 3: 2, 4: 4, 7: 1, 16: 8]

    private func value(_ values: Values, _ index: Int) -> Int? {
        let size = Self.sizes[values.type] ?? 1
        let offset = values.start + index * size
        return switch size {
        case 1: numbers.bytes.byte(at: offset).map(Int.init)
        case 2: numbers.short(offset)
        case 4: numbers.long(offset)
        default: numbers.offset(at: offset)
        }
    }
}
