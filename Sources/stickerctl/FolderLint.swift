import StickerImport
import StickerModel
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
    ///   - decodes: whether pixels are looked at.
    /// - Returns: a report for each description or pack.
    /// - Throws: `ImportFault` if there is no pack; `WorkerUnavailable`.
    func reports(
        of path: String, for platform: PackPlatform?, targets: [String: Target] = Target.builtIn,
        decodes: Bool = true
    ) throws -> [LintReport] {
        let tree = try SourceTree(path, limits: limits)
        // An archive in an archive is not opened.
        let isFolder = try FileStatus(path).kind == .folder
        let archives = isFolder ? tree.paths.filter(ArchiveName.ends) : []
        var reports: [LintReport] = []
        do throws(ImportFault) {
            reports = try self.reports(of: tree, "", for: platform, targets, decodes)
        } catch {
            guard !archives.isEmpty, error.rule == .noPack else { throw error }
        }
        for archive in archives {
            let tree = try SourceTree("\(path)/\(archive)", limits: limits)
            reports += try self.reports(of: tree, "\(archive)/", for: platform, targets, decodes)
        }
        return reports
    }

    private func reports(
        of tree: SourceTree, _ prefix: String, for platform: PackPlatform?,
        _ targets: [String: Target], _ decodes: Bool
    ) throws(ImportFault) -> [LintReport] {
        var judge = PackJudge(tree, for: platform, targets: targets, limits: limits)
        return try judge.judge().map { pack in
            var findings = pack.findings
            if decodes { findings += look(at: pack.pictures, in: tree) }
            return LintReport(pack, findings, below: prefix)
        }
    }

    /// What is wrong with the pixels of pictures.
    ///
    /// - Parameters:
    ///   - pictures: pictures that are whole by their headers.
    ///   - tree: where they lie.
    /// - Returns: faults and warnings.
    func look(at pictures: [JudgedPicture], in tree: some PackTree) -> [Finding] {
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
            findings += decode(Array(taken), in: tree)
        }
        return findings
    }

    /// A file that ends a worker is looked for among the others.
    private func decode(_ pictures: [JudgedPicture], in tree: some PackTree) -> [Finding] {
        do {
            let files = try pictures.map {
                try tree.bytes(at: $0.path, atMost: limits.pictureBytesMax)
            }
            return zip(pictures, try worker.look(at: files)).flatMap { $0.findings($1) }
        } catch {
            guard pictures.count > 1 else { return pictures.map { $0.broken("\(error)") } }
            return pictures.flatMap { decode([$0], in: tree) }
        }
    }
}
