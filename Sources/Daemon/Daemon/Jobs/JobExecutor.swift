import Foundation
import Glibc
import StickerContainers
import StickerModel
import StickerSmart
import StickerStore
import StickerSystem
import StickerWatch
import StickerWorkers

/// Does one job: read, recognise, make, write. The outcome decides whether there will be another attempt.
struct JobExecutor: Sendable {
    let settings: Settings
    let store: JobStore
    let objects: ObjectStore
    let maker: any StickerMaking
    /// Whether the daemon drains, and so does not wait for incomplete files.
    let isDraining: Bool
    /// Finds out whether a missing file is gone, or only its drop.
    let look: @Sendable (SourceKey) -> Look
    /// The date that smart stickers show.
    var date: @Sendable () -> Date = { Date() }
    /// The weather; `nil` if it is not known.
    var weather: @Sendable () -> Weather? = { nil }
    /// The fonts of texts, as text that changes with them.
    var fonts: @Sendable () -> String = { "" }

    /// How long to wait before looking again for a file that is out of reach.
    private static let awayPause = Duration.seconds(10)
    /// How long to wait at least, and in all, for a scan to notice that a file is gone.
    private static let scanPause = Duration.milliseconds(100)
    private static let scanPatience = Duration.seconds(60)

    /// Runs `job` to its end on the calling thread.
    func run(_ job: ClaimedJob, on lane: WorkLane) -> JobResult {
        var steps = JobSteps(job: job)
        let outcome = outcome(of: job, on: lane, &steps)
        return JobResult(
            finished: FinishedJob(
                job: job, outcome: outcome, log: steps.log, warnings: steps.warnings,
                isCMYK: steps.isCMYK, drawing: steps.drawing, cpuTime: steps.cpuTime),
            staged: steps.staged)
    }

    /// Puts the files of several jobs in place. If a job's files cannot be kept, they are made again later.
    func place(_ results: [JobResult]) -> [FinishedJob] {
        let start = ContinuousClock.now
        let staged = results.compactMap(\.staged)
        precondition(staged.count == results.count, "only what has files is put in place")
        let errors = objects.commit(staged)
        let took = (ContinuousClock.now - start).inMilliseconds
        let files = staged.reduce(0) { $0 + $1.count }.counted("file", "files")
        let stickers = results.count.counted("sticker", "stickers")
        return zip(results, errors).map { result, error in
            var finished = result.finished
            let detail = error.map { "\($0)" } ?? "\(files) of \(stickers)"
            finished.log.append(StepEntry("store", milliseconds: took, detail))
            if let error { finished.outcome = .released("\(error)") }
            return finished
        }
    }

    private func outcome(
        of job: ClaimedJob, on lane: WorkLane, _ steps: inout JobSteps
    ) -> JobOutcome {
        do {
            if let outcome = try hold(job, &steps) { return outcome }
        } catch {
            return .failed("\(error)")
        }
        return switch read(job, &steps) {
        case .stopped(let outcome): outcome
        case .read(let source, let content):
            if let file = SideFile(job.source) {
                words(in: source, of: file, job, content, &steps)
            } else if job.source.isTemplate {
                fill(job, on: lane, source, content, &steps)
            } else {
                make(job, on: lane, source, content, &steps)
            }
        }
    }

    // MARK: Copies

    /// Holds a conflict copy back while its original is there, has been missing so briefly that it may be replaced, or
    /// may still arrive. A published copy stays. A file that may not be a copy is published with a warning.
    private func hold(_ job: ClaimedJob, _ steps: inout JobSteps) throws -> JobOutcome? {
        guard FileKind.of(job.source) == .picture, let copy = ConflictCopy(job.source.name) else {
            return nil
        }
        guard let (original, present) = try original(of: copy, beside: job.source) else {
            return try copy.isCertain ? waitForOriginal(job) : nil
        }
        guard copy.isCertain else {
            let shown = FileName.escaped(FileName.display(present.name))
            steps.warn("looks-like-copy", "it looks like a copy of \(shown)")
            return nil
        }
        return try store.liveProduct(of: job.source) == nil
            ? .refused(.conflictCopy(of: original, now: present), content: nil) : nil
    }

    /// Programs that copy folders keep no order: a new copy waits as long as a file may be missing.
    private func waitForOriginal(_ job: ClaimedJob) throws -> JobOutcome? {
        let age = Duration.seconds(date().timeIntervalSince1970) - .nanoseconds(job.version.ctime)
        let grace = Duration.seconds(settings.current.publish.deleteGraceSeconds)
        guard !isDraining, (.zero..<grace).contains(age),
            try store.liveProduct(of: job.source) == nil
        else { return nil }
        return .arriving(
            delay: min(grace - age, Self.awayPause), why: "its original may still arrive")
    }

    /// The original of a copy, and its current name.
    private func original(
        of copy: ConflictCopy, beside file: SourceKey
    ) throws -> (name: SourceKey, present: SourceKey)? {
        for name in file.siblings(copy.originals) {
            if case .present(_, isRegularFile: true) = look(name) { return (name, name) }
            if let present = try store.expected(name) { return (name, present) }
        }
        return nil
    }

    // MARK: Reading

    private enum ReadResult {
        case read(SourceBytes, ContentHash)
        case stopped(JobOutcome)
    }

    private func read(_ job: ClaimedJob, _ steps: inout JobSteps) -> ReadResult {
        let start = steps.now
        let sideFile = SideFile(job.source)
        let limit = sideFile?.bytesMax ?? settings.current.limits.sourceBytesMax
        let result = SourceReader.read(job.source, expected: job.version, bytesMax: limit)
        steps.note("read", since: start, result.shown)
        switch result {
        case .read(let source, let content, _):
            return whole(job, source, content)
        case .changed(let version):
            return .stopped(.changed(version))
        case .writerActive:
            return .stopped(
                stillArriving(job, "a writer has it open") ?? .failed("a writer has it open"))
        case .vanished:
            return .stopped(vanished(job))
        case .notRegular:
            return .stopped(.refused(.notRegularFile, content: nil))
        case .tooLarge(let bytes):
            let refusal: Refusal =
                sideFile == nil ? .tooManyBytes(bytes, limit) : .tooManyWords(bytes, limit)
            return .stopped(.refused(refusal, content: nil))
        case .unreadable(let error):
            return .stopped(.refused(.unreadable(error), content: nil))
        case .away(let error):
            return .stopped(away(String(cString: strerror(error))))
        case .environment(let error):
            return .stopped(.released("reading failed: \(String(cString: strerror(error)))"))
        case .transient(let error):
            return .stopped(.unread("reading failed: \(String(cString: strerror(error)))"))
        }
    }

    /// A file counts as gone only if its drop is still the same folder; if the share is away, or hidden by another
    /// mount, nothing is known.
    private func vanished(_ job: ClaimedJob) -> JobOutcome {
        guard look(job.source) != .gone else { return .cancelled(.vanished) }
        return away("another file is there")
    }

    /// A daemon waits indefinitely, a drain no longer than for other trouble.
    private func away(_ why: String) -> JobOutcome {
        let trouble = "its folder is away: \(why)"
        return isDraining ? .unread(trouble) : .arriving(delay: Self.awayPause, why: trouble)
    }

    /// Waits for a while for the rest of a file without the end that its format requires.
    private func whole(
        _ job: ClaimedJob, _ source: SourceBytes, _ content: ContentHash
    ) -> ReadResult {
        guard source.count > 0 else {
            return .stopped(
                stillArriving(job, "it is empty") ?? .refused(.emptyFile, content: content))
        }
        // The last valid content of a side file remains in force, so nothing waits for it.
        guard SideFile(job.source) == nil else { return .read(source, content) }
        let wait: JobOutcome? =
            switch Container.completeness(of: source) {
            case .whole, .unrecognised: nil
            case .followed:
                patience.pause(untilQuietAfter: job.ageMilliseconds).map {
                    .arriving(delay: $0, why: "bytes follow its end, which may be replaced")
                }
            case .unfinished:
                isDamageAccepted(in: job, content) ? nil : stillArriving(job, "its end is missing")
            }
        return wait.map { .stopped($0) } ?? .read(source, content)
    }

    private func isDamageAccepted(in job: ClaimedJob, _ content: ContentHash) -> Bool {
        // If the database cannot be read, the file waits like any other.
        (try? store.concessions(of: job.source, content))?.damaged != nil
    }

    private func stillArriving(_ job: ClaimedJob, _ why: String) -> JobOutcome? {
        patience.pause(afterMilliseconds: job.ageMilliseconds).map {
            .arriving(delay: $0, why: why)
        }
    }

    private var patience: ArrivalPatience {
        isDraining ? .drain : ArrivalPatience(settings.current.watch)
    }

    // MARK: Side files

    private func words(
        in source: SourceBytes, of file: SideFile, _ job: ClaimedJob, _ content: ContentHash,
        _ steps: inout JobSteps
    ) -> JobOutcome {
        let start = steps.now
        let (words, faults): (SideFileWords, SideFileError?)
        do throws(SideFileError) {
            (words, faults) = try file.reading(of: source.withUnsafeBytes { Array($0) })
        } catch {
            if let refusal = Refusal.notWords(source, job.source) {
                steps.note("words", since: start, refusal.detail)
                return .refused(refusal, content: content)
            }
            steps.note(error, since: start)
            return .refused(error.refusal, content: content)
        }
        if let faults {
            steps.note(faults, since: start)
        } else {
            steps.note("words", since: start, "understood")
        }
        do throws(StoreError) {
            let start = steps.now
            guard let changed = try store.note(words, mending: faults, of: job) else {
                return .released("it is gone, or has changed")
            }
            steps.note(
                "note", since: start,
                changed.isEmpty ? "no manifest changes" : "its manifest changes")
            if file == .category { warn(ofAbsent: words.stickers.keys.sorted(), job, &steps) }
            return .said(changed: changed, faults: faults, content: content)
        } catch {
            return .released("\(error)")
        }
    }

    /// Warns of pictures that a file names and that do not exist. They may still arrive.
    private func warn(ofAbsent paths: [String], _ job: ClaimedJob, _ steps: inout JobSteps) {
        // A failure here is not worth an error.
        let absent = try? store.absentPictures(paths, of: job.category)
        guard let absent, !absent.isEmpty else { return }
        let names = absent.prefix(3).map(FileName.escaped).joined(separator: ", ")
        let more = absent.count > 3 ? " and \((absent.count - 3).grouped) more" : ""
        steps.warn(
            "absent-pictures",
            "it names \(names)\(more), not there when it was read; that counts once they are")
    }

    // MARK: Templates

    /// Fills in a template with its current values, unless that was drawn before.
    private func fill(
        _ job: ClaimedJob, on lane: WorkLane, _ source: SourceBytes, _ content: ContentHash,
        _ steps: inout JobSteps
    ) -> JobOutcome {
        let configuration = settings.current
        let start = steps.now
        let filling: TemplateFilling
        do {
            let template = try SmartTemplate(source.withUnsafeBytes { Array($0) })
            let weather = template.needsWeather ? weather() : nil
            guard weather != nil || !template.needsWeather else {
                steps.note("fill", since: start, "the weather is not known")
                return .withdrawn(.unknownWeather)
            }
            let place = try SmartPlace(
                orInEnglish: configuration.settings(of: job.categoryNames).smart)
            let moment = SmartMoment(date(), at: place, weather: weather)
            filling = TemplateFilling(template, at: moment)
        } catch let fault as TemplateFault {
            return .refused(Refusal(fault), content: content)
        } catch {
            // The configuration was checked, so this is trouble of the system.
            return .released("smart: \(error)")
        }
        // Other fonts give another picture.
        let drawn = ContentHash(of: filling.bytes + fonts().utf8)
        steps.drawing = TemplateDrawing(
            content: drawn,
            next: filling.next.map { Int64(($0.timeIntervalSince1970 * 1000).rounded(.up)) })
        steps.note("fill", since: start, filling.shown)
        do {
            if let wait = try waitForScan(job, content) { return wait }
            var recipe = configuration.recipe(of: job.categoryNames)
                .granting(try store.concessions(of: job.source, content))
            recipe.refusesUnknownCharacters = true
            let wanted = recipe.ids.ofPicture(isCMYK: false)
            let products = job.renewal != .none ? [] : try store.products(of: drawn)
            let inventory = Inventory(of: wanted, among: products, isThere: objects.holds)
            if let product = inventory.product {
                return try known(product, job, content, drawn, &steps)
            }
            guard lane.admits(.unknown) else { return wait(.unknown, &steps) }
            let order = Order(
                SourceBytes(filling.drawings[0].svg), content, wanted, configuration.limits, lane,
                styles: filling.drawings)
            return try make(recipe, order, beside: inventory, &steps)
        } catch let error as FileError {
            return .released("\(error)")
        } catch {
            return .failed("\(error)")
        }
    }

    /// Adds the further styles of the sticker.
    ///
    /// - Returns: why one cannot be made; `nil` if all are there.
    private func addStyles(
        to made: inout MadeSticker, _ recipe: Recipe, _ order: Order, _ steps: inout JobSteps
    ) -> MakeFailure? {
        guard order.styles.count > 1, let first = order.styles[0].style, !made.files.isEmpty else {
            return nil
        }
        made.files[0].style = first
        var recipe = recipe.ofStickerAlone
        recipe.settings.thumbnails = []
        for (style, svg) in order.styles.dropFirst() {
            let report = maker.make(
                SourceBytes(svg), recipe: recipe, limits: order.limits, lane: order.lane)
            steps.add(report)
            switch report.result {
            case .failure(let failure): return failure
            case .success(let variant):
                for var file in variant.files
                where file.role == .sticker || file.role == .companion {
                    (file.role, file.style) = (.variant, style)
                    made.files.append(file)
                }
            }
        }
        return nil
    }

    // MARK: Making

    private func make(
        _ job: ClaimedJob, on lane: WorkLane, _ source: SourceBytes, _ content: ContentHash,
        _ steps: inout JobSteps
    ) -> JobOutcome {
        let configuration = settings.current
        let isCMYK = PictureOutline.isCMYK(source)
        steps.isCMYK = isCMYK
        do {
            if let wait = try waitForScan(job, content) { return wait }
            var recipe = configuration.recipe(of: job.categoryNames)
                .granting(try store.concessions(of: job.source, content))
            recipe.drawsStill =
                try job.renewal != .requested && store.standsStill(job.source, content)
            let wanted = recipe.ids.ofPicture(isCMYK: isCMYK)
            let inventory = try inventory(of: wanted, job, content)
            if let product = inventory.product {
                return try known(product, job, content, content, &steps)
            }
            // Running it to find out would keep small files waiting for a while.
            let cost = PictureCost(source).foretold(within: configuration.limits)
            guard lane.admits(cost) else { return wait(cost, &steps) }
            let order = Order(source, content, wanted, configuration.limits, lane)
            return try make(recipe, order, beside: inventory, &steps)
        } catch let error as FileError {
            // An error in the published folder is never the picture's fault.
            return .released("\(error)")
        } catch {
            return .failed("\(error)")
        }
    }

    /// Waits for a lane of large files.
    private func wait(_ cost: ForetoldCost, _ steps: inout JobSteps) -> JobOutcome {
        steps.note("wait", since: steps.now, "may take long, waits for a lane of large files")
        return .yielded(isForeseen: cost != .unknown)
    }

    /// Waits while a file with the same bytes as a new one is gone but not yet noticed by the scan of another folder.
    /// Only then is it known whether the new file was moved, and keeps the id, or is a copy.
    private func waitForScan(_ job: ClaimedJob, _ content: ContentHash) throws -> JobOutcome? {
        let gone = try store.twins(of: job.source, content).filter { look($0) == .gone }
        guard !gone.isEmpty else { return nil }
        let age = Duration.milliseconds(job.ageMilliseconds)
        guard age >= Self.scanPatience else {
            return .arriving(
                delay: max(Self.scanPause, age / 4), why: "a file with these bytes has just gone")
        }
        _ = try store.accept([], gone: gone)
        return nil
    }

    /// The input of the maker.
    fileprivate struct Order {
        let source: SourceBytes
        let content: ContentHash
        /// The ids of the recipe's results for this picture.
        let wanted: RecipeIDs
        let limits: DecodeLimits
        let lane: WorkLane
        /// Whether it is a drawing, whose cost cannot be predicted.
        var isDrawn: Bool { PictureCost.isDrawn(source) }
        /// The drawings of a template; the source is the first.
        let styles: [(style: String?, svg: [UInt8])]

        init(
            _ source: SourceBytes, _ content: ContentHash, _ wanted: RecipeIDs,
            _ limits: DecodeLimits, _ lane: WorkLane,
            styles: [(style: String?, svg: [UInt8])] = []
        ) {
            (self.source, self.content, self.wanted) = (source, content, wanted)
            (self.limits, self.lane, self.styles) = (limits, lane, styles)
        }
    }

    /// Makes the files missing from `inventory`.
    private func make(
        _ recipe: Recipe, _ order: Order, beside inventory: Inventory, _ steps: inout JobSteps
    ) throws -> JobOutcome {
        let part = inventory.order(of: recipe)
        let report = maker.make(
            order.source, recipe: part, limits: order.limits, lane: order.lane)
        steps.add(report)
        switch report.result {
        case .failure(let failure):
            return JobOutcome(failure, order)
        case .success(var made):
            if part.makesSticker, let failure = addStyles(to: &made, recipe, order, &steps) {
                return JobOutcome(failure, order)
            }
            let files = try stage(made, &steps)
            let product = inventory.product(
                adding: files, made.shortfalls, animated: made.animated,
                appearance: made.appearance)
            if let product {
                // Files are kept for a limited time only, and making took a while.
                guard inventory.kept.allSatisfy(objects.holds) else {
                    return .released("existing files are gone")
                }
                return .made(product, content: order.content)
            }
            // It moves although an earlier release thought otherwise, or the other way round.
            let nothing = Inventory(of: order.wanted, among: [])
            return try make(recipe, order, beside: nothing, &steps)
        }
    }

    /// The files of a recipe that were already made from the same bytes, anywhere in the library.
    private func inventory(
        of wanted: RecipeIDs, _ job: ClaimedJob, _ content: ContentHash
    ) throws -> Inventory {
        let products = job.renewal != .none ? [] : try store.products(of: content)
        return Inventory(of: wanted, among: products, isThere: objects.holds)
    }

    /// Equal bytes with an equal recipe are encoded once in the whole library.
    private func known(
        _ product: StickerProduct, _ job: ClaimedJob, _ content: ContentHash,
        _ drawn: ContentHash, _ steps: inout JobSteps
    ) throws -> JobOutcome {
        if let live = try store.liveProduct(of: job.source), live.content == drawn,
            live.file == content,
            live.product.recipe == product.recipe
        {
            steps.note("compare", since: steps.now, "unchanged")
            return .unchanged(content: content)
        }
        steps.note("compare", since: steps.now, "same picture as one made before, files shared")
        return .made(product, content: content)
    }

    private func stage(_ made: MadeSticker, _ steps: inout JobSteps) throws -> [StickerFile] {
        guard !made.files.isEmpty else { return [] }
        let start = steps.now
        let staged = try objects.stage(
            made.files.map { NewObject(bytes: $0.bytes, format: $0.format) })
        steps.staged = staged
        let files = zip(made.files, staged.hashes).map { file, hash in
            StickerFile(
                role: file.role, target: file.target, style: file.style, format: file.format,
                size: file.size,
                bytes: file.bytes.count, sha256: hash, frames: file.frames,
                durationMilliseconds: file.durationMilliseconds, encoding: file.encoding)
        }
        steps.note(
            "write", since: start,
            "\(files.count.counted("file", "files")), \(files[0].sha256.rawValue.prefix(12))…")
        return files
    }
}

extension JobOutcome {
    fileprivate init(_ failure: MakeFailure, _ order: JobExecutor.Order) {
        switch failure {
        case .refused(let refusal): self = .refused(refusal, content: order.content)
        case .worker(let refusal): self = .workerFailed(refusal, content: order.content)
        case .yielded: self = .yielded(isForeseen: !order.isDrawn)
        case .lacking(let why): self = .released(why)
        }
    }
}

extension TemplateFilling {
    /// For the job log.
    fileprivate var shown: String {
        let styles = drawings.count.counted("style", "styles")
        guard let next else { return "\(styles), until the file changes" }
        return "\(styles), until \(next.formatted(.iso8601))"
    }
}

extension SourceReading {
    /// For the job log.
    fileprivate var shown: String {
        switch self {
        case .read(let source, let content, _):
            "\(source.count.grouped) B, sha256 \(content.rawValue.prefix(12))…"
        case .changed: "it was written to meanwhile"
        case .writerActive: "a writer has it open"
        case .notRegular: "not a regular file"
        case .vanished: "it is gone"
        case .tooLarge(let bytes): "\(Int(bytes).grouped) B"
        case .unreadable(let error), .away(let error), .environment(let error),
            .transient(let error):
            String(cString: strerror(error))
        }
    }
}
