import Dispatch
import Foundation
import StickerCodecs
import StickerContainers
import StickerFormats
import StickerHEIC
import StickerPipeline
import StickerRaster
import StickerTestSupport
import StickerValues
import Synchronization
import Testing

/// Pictures from outside the repository, by folder.
enum Pictures {
    /// Whether checks that take minutes are asked for.
    static let isEveryFileWanted =
        ProcessInfo.processInfo.environment["STICKERD_SLOW_CHECKS"] == "1"

    /// The pictures in a folder of the corpus, by path, in order.
    static func files(in folder: String) throws -> [String] {
        let path = try #require(Corpus.folder(named: folder))
        return try FileManager.default.contentsOfDirectory(atPath: path).sorted()
            .filter { name in ["png", "apng", "jpg", "gif"].contains { name.hasSuffix(".\($0)") } }
            .map { "\(folder)/\($0)" }
    }

    static func source(_ path: String) throws -> SourceBytes {
        let root = try #require(Corpus.path)
        return SourceBytes([UInt8](try Data(contentsOf: URL(filePath: "\(root)/\(path)"))))
    }
}

/// The result for a file.
struct Verdict: Equatable, CustomStringConvertible {
    /// Why it was refused; `nil` where it was not.
    var reason: Refusal.Reason?
    var description: String
    /// Faults of the sticker or of the refusal's message.
    var faults: [String]

    /// Runs files through the pipeline, on all cores.
    static func judge(_ files: [String]) throws -> [String: Verdict] {
        let verdicts = Mutex<[String: Verdict]>([:])
        let errors = Mutex<[any Error]>([])
        DispatchQueue.concurrentPerform(iterations: files.count) { index in
            do {
                let verdict = Verdict(try Pictures.source(files[index]))
                verdicts.withLock { $0[files[index]] = verdict }
            } catch {
                errors.withLock { $0.append(error) }
            }
        }
        if let error = errors.withLock({ $0.first }) { throw error }
        return verdicts.withLock { $0 }
    }

    private init(_ source: SourceBytes) {
        let report = StickerPipeline(readers: .common.adding(.formats).adding(.heic)).make(
            source, recipe: Recipe(settings: StickerSettings()), limits: DecodeLimits())
        switch report.result {
        case .success(let sticker):
            let hashes = sticker.files.map { "\($0.role) \($0.bytes.hashValue)" }
            (description, faults) = ("published \(hashes)", sticker.faults)
        case .failure(let failure):
            guard case .refused(let refusal) = failure else { preconditionFailure("\(failure)") }
            (reason, faults) = (refusal.reason, refusal.faults)
            description = "\(refusal.reason.rawValue): \(refusal.detail)"
        }
    }
}

extension MadeSticker {
    /// Faults that a consumer would find in the files.
    fileprivate var faults: [String] {
        let settings = StickerSettings()
        let roles: [StickerFile.Role] =
            animated ? [.sticker, .companion, .poster] : [.sticker, .companion]
        var faults = roles.filter { role in !files.contains { $0.role == role } }
            .map { "there is no \($0)" }
        for file in files where file.format == .webp {
            faults += WebPAudit.faults(
                in: file.bytes, canvas: file.size, frames: file.frames,
                durationMilliseconds: file.durationMilliseconds
            ).map { "\(file.role): \($0)" }
        }
        for file in files where file.format == .gif { faults += file.gifFaults }
        let bytesMax = animated ? settings.animatedBytesMax : settings.stillBytesMax
        if files.contains(where: { $0.role == .sticker && $0.bytes.count > bytesMax }) {
            faults.append("the sticker has too many bytes")
        }
        return faults
    }
}

extension MadeFile {
    /// Where a GIF differs from its description.
    fileprivate var gifFaults: [String] {
        do {
            let decoder = try GIFDecoder(SourceBytes(bytes), limits: DecodeLimits())
            let said = [size.width, size.height, frames ?? 1, durationMilliseconds ?? 0, 0]
            let found = [
                decoder.header.size.width, decoder.header.size.height, decoder.frameCount,
                decoder.durationMilliseconds, decoder.loopCount,
            ]
            return said == found ? [] : ["the GIF is \(found), not \(said)"]
        } catch {
            return ["the GIF: \(error)"]
        }
    }
}

extension Refusal {
    /// Losses that an artist would notice.
    fileprivate var faults: [String] {
        var faults: [String] = []
        if detail.isEmpty || detail.contains("\n") { faults.append("no sentence: \(detail)") }
        if remedy.isEmpty { faults.append("no remedy") }
        let limits: [Reason] = [
            .emptyFile, .badDimensions, .tooManyBytes, .tooManyPixels, .tooManyFrames, .tooComplex,
            .tooLong, .willNotFit,
        ]
        if limits.contains(reason), measured == nil || limit == nil {
            faults.append("measured \(measured ?? "-"), limit \(limit ?? "-"): \(detail)")
        }
        return faults
    }
}
