import StickerConfiguration
import StickerPackFiles
import StickerPacks
import StickerSystem
import StickerValues
import StickerWorkers

/// Checks folders and archives of packs, including pixels.
struct FolderLint {
    /// The most that one worker decodes.
    private static let batch = (files: 32, bytes: 24 << 20)

    private let worker: WorkerQuestions
    private let limits: ImportLimits

    /// Checks with the worker of an installation.
    ///
    /// - Parameter configuration: limits the decoding.
    /// - Throws: `WorkerUnavailable` if there is no worker.
    init(_ configuration: Configuration) throws {
        worker = WorkerQuestions(
            program: try WorkerProgram.find(), worker: configuration.worker,
            limits: configuration.limits)
        limits = ImportLimits(pictureBytesMax: configuration.limits.sourceBytesMax)
    }

    /// Checks a folder, the archives in it, or an archive.
    ///
    /// - Parameters:
    ///   - path: its path.
    ///   - platform: the platform; `nil` if the packs name it.
    ///   - targets: the rules of pictures, by name.
    /// - Returns: a report for each description or pack, and the parts that could not be checked.
    /// - Throws: `ImportFault` if there is no pack; `WorkerUnavailable` if the worker cannot work.
    func judged(
        _ path: String, for platform: PackPlatform?, targets: [String: Target] = Target.builtIn
    ) throws -> (reports: [LintReport], unread: [Finding]) {
        let tree: SourceTree
        switch open(path) {
        case .success(let opened): tree = opened
        case .failure(let fault):
            // A damaged archive is the subject itself.
            guard [.noPack, .unreadable, .notRegularFile].contains(fault.rule) else {
                return ([], [Finding(fault)])
            }
            throw fault
        }
        // A nested archive is not opened.
        let isFolder = try FileStatus(path).kind == .folder
        let archives = isFolder ? tree.paths.filter(ArchiveName.ends) : []
        var reports: [LintReport] = []
        var faults = tree.faults
        for archive in [nil] + archives {
            let prefix = archive.map { "\($0)/" } ?? ""
            do {
                let tree =
                    try archive.map { try open("\(path)/\($0)").get() } ?? tree
                var judge = PackJudge(
                    tree, for: platform ?? Self.platform(ofArchive: archive ?? path),
                    targets: targets, limits: limits)
                for pack in try judge.judge() {
                    let seen = try look(at: pack.pictures, in: tree)
                    reports.append(LintReport(pack, pack.findings + seen, below: prefix))
                }
                faults += judge.leftOut.map { $0.below(prefix) }
            } catch let fault as ImportFault {
                // A folder with archives need not be a pack itself.
                guard archive != nil || archives.isEmpty || fault.rule != .noPack else { continue }
                faults.append(fault.below(prefix))
            }
        }
        let isNothing = faults.allSatisfy { [.noPack, .unknownPlatform].contains($0.rule) }
        if reports.isEmpty, isNothing, let fault = faults.first { throw fault }
        return (reports, faults.map(Finding.init))
    }

    private func open(_ path: String) -> Result<SourceTree, ImportFault> {
        Result { () throws(ImportFault) in try SourceTree(path, limits: limits) }
    }

    /// Only Mastodon imports tar archives of pictures, and nothing inside names it.
    private static func platform(ofArchive name: String) -> PackPlatform? {
        [".tar.gz", ".tgz"].contains(where: name.lowercased().hasSuffix) ? .mastodon : nil
    }

    /// Findings about the pixels of pictures.
    ///
    /// - Parameters:
    ///   - pictures: pictures with intact headers.
    ///   - tree: their folder or archive.
    /// - Returns: faults and warnings.
    /// - Throws: `WorkerUnavailable` if the worker cannot work with any pictures.
    func look(at pictures: [JudgedPicture], in tree: some PackTree) throws -> [Finding] {
        var findings: [Finding] = []
        var rest = pictures[...]
        while !rest.isEmpty {
            var bytes = 0
            let batch = rest.prefix(Self.batch.files).prefix { picture in
                bytes += picture.bytes
                return bytes <= Self.batch.bytes
            }
            let taken = batch.isEmpty ? rest.prefix(1) : batch
            rest = rest.dropFirst(taken.count)
            findings += try decode(Array(taken), in: tree)
        }
        return findings
    }

    /// Bisects the files if one of them ends the worker.
    private func decode(_ pictures: [JudgedPicture], in tree: some PackTree) throws -> [Finding] {
        do {
            let files = try pictures.map {
                try tree.bytes(at: $0.path, atMost: limits.pictureBytesMax)
            }
            return zip(pictures, try worker.look(at: files)).flatMap { $0.findings($1) }
        } catch {
            guard pictures.count == 1 else {
                return try pictures.flatMap { try decode([$0], in: tree) }
            }
            // If the worker cannot do anything, the picture is not the cause.
            _ = try worker.look(at: [])
            return pictures.map { $0.broken("\(error)") }
        }
    }
}

extension ImportFault {
    /// The same fault, relative to the folder of an archive.
    fileprivate func below(_ prefix: String) -> ImportFault {
        var fault = self
        // A fault of the whole archive already names it.
        if !prefix.isEmpty, let file, !prefix.hasPrefix(file) { fault.file = prefix + file }
        return fault
    }
}
