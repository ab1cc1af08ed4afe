import StickerConfiguration
import StickerContainers
import StickerStore
import StickerSystem
import StickerValues
import StickerWatch
import StickerWorkers

/// Makes the files of a sticker that do not exist yet.
struct PictureJob {
    let attempt: JobAttempt
    /// The picture, or the first drawing of a template.
    let source: SourceBytes
    /// The hash of the file.
    let content: ContentHash
    /// The hash by which products are found: of the file, or of all drawings of a template.
    let drawn: ContentHash
    /// The drawings of a template in all styles; none for a picture.
    var styles: [(style: String?, svg: [UInt8])] = []

    /// How long to wait at least, and in all, for a scan to notice that a file is gone.
    private static let scanPause = Duration.milliseconds(100)
    private static let scanPatience = Duration.seconds(60)

    private var job: ClaimedJob { attempt.job }
    private var steps: JobSteps { attempt.steps }
    private var tools: JobExecutor { attempt.tools }
    private var limits: DecodeLimits { attempt.configuration.limits }

    func outcome() -> JobOutcome {
        if styles.isEmpty { steps.isCMYK = PictureOutline.isCMYK(source) }
        do {
            return try sharedOrMade()
        } catch let error as FileError {
            // An error in the published folder is never the picture's fault.
            return .released("\(error)")
        } catch {
            return .failed("\(error)")
        }
    }

    private func sharedOrMade() throws -> JobOutcome {
        var outlook = try outlook()
        let gone = outlook.twins.filter { tools.look($0) == .gone }
        if !gone.isEmpty {
            if let outcome = waitForScan() { return outcome }
            _ = try tools.store.queue.accept([], gone: gone)
            outlook = try self.outlook()
        }
        let recipe = recipe(outlook)
        let wanted = recipe.ids.ofPicture(isCMYK: steps.isCMYK ?? false)
        let inventory = Inventory(
            of: wanted, among: outlook.products, isThere: tools.objects.holds)
        let isHeld = attempt.isHeld(content, outlook)
        if let product = inventory.product {
            return try isHeld
                ? held(tools.objects.bytes(of: product.files[0]))
                : shared(product, outlook.live)
        }
        // Running it to find out would keep small files waiting for a while.
        let cost = PictureCost(source).foretold(within: limits)
        guard attempt.lane.admits(cost) else {
            steps.note("wait", since: steps.now, "may take long, waits for a lane of large files")
            return .yielded(isForeseen: cost != .unknown)
        }
        if isHeld { return try madeForReview(recipe) }
        return try make(recipe, wanted, beside: inventory)
    }

    private func outlook() throws -> JobOutlook {
        try tools.store.queue.outlook(of: job, content, drawn: drawn)
    }

    /// Waits while a file with the same bytes as a new one is gone but not yet noticed by the scan of another folder.
    /// Only then is it known whether the new file was moved, and keeps the id, or is a copy.
    private func waitForScan() -> JobOutcome? {
        let age = Duration.milliseconds(job.ageMilliseconds)
        guard age < Self.scanPatience else { return nil }
        return .arriving(
            delay: max(Self.scanPause, age / 4), why: "a file with these bytes has just gone")
    }

    private func recipe(_ outlook: JobOutlook) -> Recipe {
        var recipe = attempt.configuration.recipe(of: job.categoryNames)
            .granting(outlook.concessions)
        if let live = outlook.live, live.content == content {
            recipe.drawsStill = !live.product.animated
        }
        recipe.refusesUnknownCharacters = !styles.isEmpty
        return recipe
    }

    /// Equal bytes with an equal recipe are encoded once in the whole library.
    private func shared(_ product: StickerProduct, _ live: LiveProduct?) -> JobOutcome {
        if let live, !live.isLost, live.content == drawn, live.file == content,
            live.product.recipe == product.recipe
        {
            steps.note("compare", since: steps.now, "unchanged")
            return .unchanged(content: content)
        }
        steps.note("compare", since: steps.now, "same picture as one made before, files shared")
        return .made(product, content: content)
    }

    // MARK: Review

    /// Makes the sticker as it will be, to be looked at.
    private func madeForReview(_ recipe: Recipe) throws -> JobOutcome {
        // Files beside it are made once it is published.
        var recipe = recipe.ofStickerAlone
        recipe.settings.thumbnails = []
        recipe.settings.companions = false
        let made: MadeSticker
        do throws(MakeFailure) {
            made = try run(source, recipe)
        } catch {
            return outcome(of: error)
        }
        return try held(made.files[0].bytes)
    }

    /// Keeps a sticker where only the console shows it, until an editor publishes it.
    private func held(_ sticker: [UInt8]) throws -> JobOutcome {
        let start = steps.now
        try ReviewFolder(state: attempt.configuration.state).keep(sticker, of: job.id)
        steps.note("review", since: start, "it waits until an editor publishes it")
        return .refused(.inReview(job), content: content)
    }

    // MARK: Making

    /// Makes the files missing from `inventory`.
    private func make(
        _ recipe: Recipe, _ wanted: RecipeIDs, beside inventory: Inventory
    ) throws -> JobOutcome {
        let part = inventory.order(of: recipe)
        var made: MadeSticker
        do throws(MakeFailure) {
            made = try run(source, part)
            if part.makesSticker { try addStyles(to: &made, recipe) }
        } catch {
            return outcome(of: error)
        }
        let files = try stage(made)
        let product = inventory.product(
            adding: files, made.shortfalls, animated: made.animated, appearance: made.appearance)
        guard let product else {
            // It moves although an earlier release thought otherwise, or the other way round.
            return try make(recipe, wanted, beside: Inventory(of: wanted, among: []))
        }
        // Files are kept for a limited time only, and making took a while.
        guard inventory.kept.allSatisfy(tools.objects.holds) else {
            return .released("existing files are gone")
        }
        return .made(product, content: content)
    }

    private func run(_ source: SourceBytes, _ recipe: Recipe) throws(MakeFailure) -> MadeSticker {
        let report = tools.maker.make(source, recipe: recipe, limits: limits, lane: attempt.lane)
        steps.add(report)
        return try report.result.get()
    }

    /// Adds the further styles of a template's sticker.
    private func addStyles(to made: inout MadeSticker, _ recipe: Recipe) throws(MakeFailure) {
        guard styles.count > 1, let first = styles[0].style, !made.files.isEmpty else { return }
        made.files[0].style = first
        var recipe = recipe.ofStickerAlone
        recipe.settings.thumbnails = []
        for (style, svg) in styles.dropFirst() {
            let variant = try run(SourceBytes(svg), recipe)
            for var file in variant.files where file.role == .sticker || file.role == .companion {
                (file.role, file.style) = (.variant, style)
                made.files.append(file)
            }
        }
    }

    private func outcome(of failure: MakeFailure) -> JobOutcome {
        switch failure {
        case .refused(let refusal): .refused(refusal, content: content)
        case .worker(let refusal): .workerFailed(refusal, content: content)
        case .yielded: .yielded(isForeseen: !PictureCost.isDrawn(source))
        case .lacking(let why): .released(why)
        }
    }

    private func stage(_ made: MadeSticker) throws -> [StickerFile] {
        guard !made.files.isEmpty else { return [] }
        let start = steps.now
        let staged = try tools.objects.stage(
            made.files.map { NewObject(bytes: $0.bytes, format: $0.format) })
        steps.staged = staged
        let files = zip(made.files, staged.hashes).map { file, hash in
            StickerFile(
                role: file.role, target: file.target, style: file.style, format: file.format,
                size: file.size, bytes: file.bytes.count, sha256: hash, frames: file.frames,
                durationMilliseconds: file.durationMilliseconds, encoding: file.encoding)
        }
        steps.note(
            "write", since: start,
            "\(files.count.counted("file", "files")), \(files[0].sha256.rawValue.prefix(12))…")
        return files
    }
}

extension Refusal {
    /// An editor has to publish the sticker of a job first.
    static func inReview(_ job: ClaimedJob) -> Refusal {
        Refusal(
            .needsReview, "no editor has published it yet",
            remedy: "publish it in the console, or by \(stickerctl: "publish \(job.id)")")
    }
}
