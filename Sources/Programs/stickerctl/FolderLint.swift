import StickerModel
import StickerPackFiles
import StickerPacks
import StickerSystem
import StickerWorkers

/// Judges folders and archives of packs, pixels and all.
struct FolderLint {
    /// How much is decoded by one worker.
    private static let batch = (files: 32, bytes: 24 << 20)

    private let worker: WorkerQuestions
    private let limits: ImportLimits

    /// Judges with the worker of an installation.
    ///
    /// - Parameter configuration: says how much is decoded.
    /// - Throws: `WorkerUnavailable` if there is no worker.
    init(_ configuration: Configuration) throws {
        worker = WorkerQuestions(
            program: try WorkerProgram.find(), worker: configuration.worker,
            limits: configuration.limits)
        limits = ImportLimits(pictureBytesMax: configuration.limits.sourceBytesMax)
    }

    /// Judges a folder, the archives in it, or an archive.
    ///
    /// - Parameters:
    ///   - path: where it is.
    ///   - platform: the platform; `nil` if the packs tell that themselves.
    ///   - targets: the rules of pictures, by name.
    /// - Returns: a report for each description or pack, and what could not be judged.
    /// - Throws: `ImportFault` if there is no pack; `WorkerUnavailable` if the worker cannot work.
    func judged(
        _ path: String, for platform: PackPlatform?, targets: [String: Target] = Target.builtIn
    ) throws -> (reports: [LintReport], unread: [Finding]) {
        let tree: SourceTree
        switch open(path) {
        case .success(let opened): tree = opened
        case .failure(let fault):
            // A damaged archive is what was to be judged.
            guard [.noPack, .unreadable, .notRegularFile].contains(fault.rule) else {
                return ([], [Finding(fault)])
            }
            throw fault
        }
        // An archive in an archive is not opened.
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
                // A folder that holds archives need not be a pack itself.
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

    /// Nobody but Mastodon takes pictures in a tape archive, and nothing in it says so.
    private static func platform(ofArchive name: String) -> PackPlatform? {
        [".tar.gz", ".tgz"].contains(where: name.lowercased().hasSuffix) ? .mastodon : nil
    }

    /// Findings about the pixels of pictures.
    ///
    /// - Parameters:
    ///   - pictures: pictures that are whole by their headers.
    ///   - tree: where they lie.
    /// - Returns: faults and warnings.
    /// - Throws: `WorkerUnavailable` if the worker cannot work, whatever the pictures.
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

    /// A file that ends a worker is looked for among the others.
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
            // If the worker cannot do anything, the picture is not to blame.
            _ = try worker.look(at: [])
            return pictures.map { $0.broken("\(error)") }
        }
    }
}

extension ImportFault {
    /// The same as seen from the folder of an archive.
    fileprivate func below(_ prefix: String) -> ImportFault {
        var fault = self
        // A fault of the whole archive names it already.
        if !prefix.isEmpty, let file, !prefix.hasPrefix(file) { fault.file = prefix + file }
        return fault
    }
}
