import FoundationEssentials
import Glibc
import StickerCodecs
import StickerModel
import StickerRaster

/// Another program that makes stickers: a command to which the paths of a picture and of the WebP are
/// appended. If its last line is a number, that is the CPU time in seconds that it took without its
/// start.
struct Rival {
    let name: String
    private let command: String

    /// `nil` if `argument` is not `NAME=COMMAND`.
    init?(argument: String) {
        let parts = argument.split(separator: "=", maxSplits: 1).map(String.init)
        guard parts.count == 2 else { return nil }
        (name, command) = (parts[0], parts[1])
    }

    /// What one run took and made.
    struct Run {
        /// For the whole process and its children.
        var milliseconds: Double
        /// Without the start of the program, if it reports that.
        var withoutStart: Double?
        /// The WebP; `nil` if it made none.
        var file: [UInt8]?
    }

    func run(_ path: String) -> Run {
        let output =
            FileManager.default.temporaryDirectory.path + "/stickerd-bench-\(getpid()).webp"
        unlink(output)
        let before = Child.milliseconds
        let printed = Child.lines(of: "\(command) \(Child.quoted(path)) \(Child.quoted(output))")
        let spent = Child.milliseconds - before
        // A missing file is part of the result.
        let file = (try? Data(contentsOf: URL(filePath: output))).map { [UInt8]($0) }
        unlink(output)
        return Run(
            milliseconds: spent, withoutStart: printed.last.flatMap(Double.init).map { $0 * 1000 },
            file: file)
    }
}

/// What a rival made of one picture.
struct RivalResult {
    var milliseconds: [Double] = []
    var withoutStart: [Double] = []
    var bytes: Int?
    /// As in manifests, against stickerd's own canvas; `nil` if there is no sticker of 512x512.
    var score: Double?

    /// Adds a run; `judge` knows the canvas.
    mutating func add(_ run: Rival.Run, judge: PerceptualReference) {
        milliseconds.append(run.milliseconds)
        if let own = run.withoutStart { withoutStart.append(own) }
        bytes = run.file?.count
        guard score == nil, let file = run.file else { return }
        do {
            let picture = try WebPDecoder.still(file)
            guard picture.size == .sticker else { return }
            score = judge.score(of: picture)
        } catch {
            print("a rival's file cannot be decoded: \(error)")
        }
    }

    /// Whether a messenger would accept it.
    func isWithin(bytesMax: Int) -> Bool { score != nil && bytes ?? .max <= bytesMax }
}

/// Child processes.
enum Child {
    /// The CPU time of all children that have ended.
    static var milliseconds: Double {
        var usage = rusage()
        getrusage(__rusage_who_t(RUSAGE_CHILDREN.rawValue), &usage)
        return milliseconds(usage.ru_utime) + milliseconds(usage.ru_stime)
    }

    private static func milliseconds(_ time: timeval) -> Double {
        Double(time.tv_sec) * 1e3 + Double(time.tv_usec) / 1e3
    }

    /// The peak memory of a process that made only this sticker.
    static func peakMegabytes(_ path: String) -> Double? {
        lines(of: "/proc/\(getpid())/exe --single \(quoted(path))").last.flatMap(Double.init)
    }

    /// This process's own peak: not `getrusage`, which counts the parent's as well.
    static var ownPeakMegabytes: Double {
        // Without the file, the number is missing, not wrong.
        let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
        return (line?.filter(\.isNumber)).flatMap { Double($0) }.map { $0 / 1024 } ?? .nan
    }

    /// What a shell command prints.
    static func lines(of command: String) -> [String] {
        guard let pipe = popen("\(command) 2>/dev/null", "r") else { return [] }
        defer { pclose(pipe) }
        var text: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = fread(&buffer, 1, buffer.count, pipe)
            guard count > 0 else { break }
            text += buffer[..<count]
        }
        return String(decoding: text, as: UTF8.self).split(separator: "\n").map(String.init)
    }

    static func quoted(_ path: String) -> String {
        let parts = path.split(separator: "'", omittingEmptySubsequences: false)
        return "'\(parts.joined(separator: #"'\''"#))'"
    }
}
