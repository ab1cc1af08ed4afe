import Foundation
public import Testing

/// Pictures, and what other programs read in them; see `Tests/Independent/decoders.py`.
public enum IndependentDecoders {
    /// One of the pictures.
    public struct Picture: Sendable {
        /// Its name.
        public var name: String
        /// The file.
        public var file: [UInt8]
        /// Its size, as shown.
        public var width: Int
        /// Its size, as shown.
        public var height: Int
        /// Straight RGBA of every frame.
        public var frames: [[UInt8]]
        /// The difference of a sample that is allowed.
        public var tolerance: Int
    }

    /// Whether Python and Pillow are there.
    public static let isAvailable = (try? run(["-c", "import PIL"])) == 0

    /// Writes the pictures of `format` and reads them.
    public static func pictures(_ format: String) throws -> [Picture] {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("stickerd-independent-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }  // the system cleans the rest
        let script = Repository.path("Tests/Independent/decoders.py")
        try #require(try run([script, folder.path, format]) == 0)
        let list = try String(
            contentsOf: folder.appendingPathComponent("list.tsv"), encoding: .utf8)
        return try list.split(separator: "\n").map { line in
            let fields = line.split(separator: "\t").map(String.init)
            let numbers = fields.dropFirst(2).compactMap { Int($0) }
            try #require(fields.count == 6 && numbers.count == 4)
            let pixels = try bytes(folder, fields[1])
            let frame = numbers[0] * numbers[1] * 4
            try #require(pixels.count == frame * numbers[2])
            return Picture(
                name: fields[0], file: try bytes(folder, fields[0]), width: numbers[0],
                height: numbers[1],
                frames: (0..<numbers[2]).map { Array(pixels[($0 * frame)..<(($0 + 1) * frame)]) },
                tolerance: numbers[3])
        }
    }

    private static func bytes(_ folder: URL, _ name: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: folder.appendingPathComponent(name)))
    }

    private static func run(_ words: [String]) throws -> Int32 {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/python3")
        process.arguments = words
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        return process.terminationStatus
    }
}

extension IndependentDecoders.Picture {
    /// The largest difference of a sample between `shown` and the other program's frame `index`; colours
    /// that nobody sees are no difference.
    public func difference(_ shown: [UInt8], frame index: Int = 0) -> Int {
        let expected = frames[index]
        guard shown.count == expected.count else { return .max }
        var largest = 0
        for pixel in stride(from: 0, to: shown.count, by: 4) {
            let isSeen = shown[pixel + 3] != 0 || expected[pixel + 3] != 0
            for channel in (isSeen ? 0 : 3)..<4 {
                let (ours, theirs) = (Int(shown[pixel + channel]), Int(expected[pixel + channel]))
                largest = max(largest, abs(ours - theirs))
            }
        }
        return largest
    }
}

extension Trait where Self == ConditionTrait {
    /// Skips the test, with a hint, where Pillow is not installed.
    public static var needsPillow: Self {
        .enabled(if: IndependentDecoders.isAvailable, "install python3-pil to run this test")
    }
}

extension Trait where Self == ConditionTrait {
    /// Skips the test, with a hint, where `program` is not installed.
    public static func needsEncoder(_ program: String) -> Self {
        .enabled(
            if: FileManager.default.isExecutableFile(atPath: "/usr/bin/\(program)"),
            "install \(program) to run this test; deploy/deps.sh --tests does")
    }
}
