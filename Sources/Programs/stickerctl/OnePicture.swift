import ArgumentParser
import FoundationEssentials
import StickerConfiguration
import StickerSystem
import StickerValues
import StickerWorkers

/// Makes a sticker of one picture, without a daemon.
struct OnePicture {
    var path: String
    let configuration: Configuration

    /// Its path for people.
    var shown: String { FileName.escaped(path) }

    /// Makes the files of a recipe.
    ///
    /// - Throws: `ExitCode`, after a complaint, if the picture cannot be read or stickers cannot be made here.
    func make(_ recipe: Recipe, isStickerAlone: Bool) throws -> MakeReport {
        try make(try read(), recipe, isStickerAlone: isStickerAlone)
    }

    /// Makes the files of a recipe from other bytes.
    ///
    /// - Throws: `ExitCode`, after a complaint, if stickers cannot be made here.
    func make(
        _ source: SourceBytes, _ recipe: Recipe, isStickerAlone: Bool
    ) throws -> MakeReport {
        try maker(isStickerAlone).make(
            source, recipe: recipe, limits: configuration.limits, lane: .only)
    }

    /// Refuses to overwrite the picture, under any name.
    ///
    /// - Throws: `ExitCode`, after a complaint.
    func refuse(output: String) throws {
        // A file that does not exist is not the picture.
        guard let own = try? FileStatus(path), let other = try? FileStatus(output),
            own.identity == other.identity
        else { return }
        complain("\(FileName.escaped(output)) is the picture itself, nothing is written")
        throw ExitCode(1)
    }

    private func maker(_ isStickerAlone: Bool) throws -> WorkerMaking {
        let worker = configuration.worker
        return try complaining {
            WorkerMaking(program: try WorkerProgram.find(), isStickerAlone: isStickerAlone) {
                worker
            }
        }
    }

    func read() throws -> SourceBytes {
        let limit = configuration.limits.sourceBytesMax
        let bytes = try CommandLine.bytes(of: path)
        guard bytes.count <= limit else {
            complain(
                "\(shown): \(bytes.count.grouped) B, limit \(limit.grouped) B "
                    + "(limits.sourceBytesMax)")
            throw ExitCode(3)
        }
        return SourceBytes(bytes)
    }
}

extension MakeFailure {
    /// Why there is no sticker, with the remedy.
    func lines(file: String) -> [String] {
        switch self {
        case .refused(let refusal), .worker(let refusal): refusal.lines(file: file)
        case .lacking(let why): [why]
        case .yielded: ["the lane was needed for another job"]
        }
    }

    /// The exit code of a command for one sticker.
    var exitCode: ExitCode {
        if case .lacking = self { ExitCode(1) } else { ExitCode(3) }
    }
}
