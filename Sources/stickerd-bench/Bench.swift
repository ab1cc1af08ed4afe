import FoundationEssentials
import Glibc
import StickerRaster

/// Rounds over a set of pictures.
struct Bench {
    /// One picture and its figures, one number for each round that counted.
    struct Entry {
        let path: String
        let canvas: Canvas?
        var last: Trial?
        var fit: [Double] = []
        var plain: [Double] = []
        var webp: [Double] = []
        var rival: [Double] = []
        var steps: [String: [Double]] = [:]
        var peakMegabytes: Double?

        /// All encoding divided by one plain encode, the median of the rounds.
        var ratio: Double? {
            guard !plain.isEmpty, last?.animated == false else { return nil }
            return Figures(zip(fit, plain).map { $0 / $1 }).median
        }
    }

    private(set) var entries: [Entry] = []
    private let rival: String?

    init(rival: String?) { self.rival = rival }

    /// Takes a picture in; one that is refused is left out and said so.
    mutating func add(_ path: String) {
        do {
            let trial = try Trial(path: path)
            if let refusal = trial.refusal { return print("\(path): left out, \(refusal)") }
            let canvas = trial.animated ? nil : try Canvas(path: path)
            entries.append(Entry(path: path, canvas: canvas))
        } catch {
            print("\(path): left out, \(error)")
        }
    }

    /// Makes each picture once, next to one plain encode and the rival.
    mutating func run(isCounted: Bool) throws {
        for index in entries.indices {
            let path = entries[index].path
            let plain = entries[index].canvas.map { PlainEncode.milliseconds($0.pixels) }
            let trial = try Trial(path: path)
            let rival = rival.flatMap { Child.cpuSeconds($0, path) }
            guard isCounted else { continue }
            entries[index].last = trial
            entries[index].fit.append(trial.fit)
            entries[index].webp.append(trial.webp)
            if let plain { entries[index].plain.append(plain) }
            if let rival { entries[index].rival.append(rival * 1000) }
            for step in trial.steps {
                entries[index].steps[step.name, default: []].append(step.milliseconds)
            }
        }
    }

    /// The peak memory of a process that makes nothing but this sticker.
    mutating func measureMemory() {
        for index in entries.indices {
            entries[index].peakMegabytes = Child.peakMegabytes(entries[index].path)
        }
    }
}

/// Processes of their own.
enum Child {
    /// What a rival's command prints: CPU seconds.
    static func cpuSeconds(_ command: String, _ path: String) -> Double? {
        number(printedBy: "\(command) \(quoted(path))")
    }

    /// The most memory that a process held which made this sticker alone.
    static func peakMegabytes(_ path: String) -> Double? {
        number(printedBy: "/proc/\(getpid())/exe --single \(quoted(path))")
    }

    /// This process's own peak: not `getrusage`, which counts the parent's as well.
    static var ownPeakMegabytes: Double {
        // Without the file the number is missing, not wrong.
        let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
        return (line?.filter(\.isNumber)).flatMap { Double($0) }.map { $0 / 1024 } ?? .nan
    }

    private static func quoted(_ path: String) -> String {
        "'"
            + path.split(separator: "'", omittingEmptySubsequences: false)
            .joined(separator: "'\\''") + "'"
    }

    private static func number(printedBy command: String) -> Double? {
        guard let pipe = popen(command, "r") else { return nil }
        var line = [CChar](repeating: 0, count: 200)
        let hasLine = fgets(&line, Int32(line.count), pipe) != nil
        guard pclose(pipe) == 0, hasLine else { return nil }
        let text = String(decoding: line.prefix { $0 != 0 }.map(UInt8.init), as: UTF8.self)
        return Double(text.filter { !$0.isWhitespace })
    }
}
