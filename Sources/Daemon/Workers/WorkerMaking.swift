import Glibc
public import StickerConfiguration
import StickerContainers
public import StickerValues
import Synchronization

/// Makes stickers in `stickerd-worker`, one process for each picture: a program that is started, or a copy of one.
///
/// No picture is decoded, drawn or encoded in the calling process.
public struct WorkerMaking: StickerMaking {
    private let program: String
    private let isStickerAlone: Bool
    private let configuration: @Sendable () -> WorkerConfiguration
    private let budget: MemoryBudget
    private let texts: DrawnTexts
    let servers: ForkServers?
    private let files = DrawnFiles()

    /// Creates workers of `program`, which share the limits of `configuration`; it is read for every picture.
    ///
    /// - Parameters:
    ///   - program: the path of `stickerd-worker`.
    ///   - isStickerAlone: whether to make only the WebP of the sticker.
    ///   - forks: whether to keep a process of each program, of which workers are copies: for many pictures.
    ///   - configuration: returns the current configuration.
    public init(
        program: String, isStickerAlone: Bool = false, forks: Bool = false,
        configuration: @escaping @Sendable () -> WorkerConfiguration
    ) {
        self.program = program
        self.isStickerAlone = isStickerAlone
        self.configuration = configuration
        budget = MemoryBudget()
        texts = DrawnTexts(beside: program)
        servers = forks ? ForkServers(beside: program) : nil
    }

    /// The most checks: an idle worker may be killed from outside, but not this often in a row.
    private static let checks = 5

    /// Starts a worker without work.
    ///
    /// - Returns: the layers of the sandbox that are missing; empty unless `worker.unsandboxed` is set.
    /// - Throws: `WorkerUnavailable` if pictures cannot be made.
    public func check() throws -> [String] { try idle().missingLayers }

    /// Tests in a worker the files that `configuration` names, the profile of inks and those of watermarks: none is
    /// decoded in this process.
    ///
    /// - Returns: warnings: settings that probably differ from the intention.
    /// - Throws: `ConfigurationError` if one cannot be used, or `WorkerUnavailable`.
    @discardableResult
    public func check(filesOf configuration: Configuration) throws -> [JSONFault] {
        try check(profileOf: configuration)
        texts.forgetUnknown()
        return try check(watermarksOf: configuration)
    }

    private func check(profileOf configuration: Configuration) throws {
        guard let file = configuration.color.cmykProfile, let profile = file.profile else { return }
        var recipe = Recipe(settings: StickerSettings())
        recipe.cmykProfile = profile
        guard let warning = try idle(recipe).report.warnings.first else { return }
        throw ConfigurationError(faults: [file.fault("cannot be used: \(warning.detail)")])
    }

    /// Marks and their canvases.
    private struct MarkedCanvases: Hashable {
        var marks: [Watermark]
        var canvases: Set<TargetCanvas>
    }

    /// Tests each list of marks once on the same canvases, under the limits for pictures.
    private func check(watermarksOf configuration: Configuration) throws -> [JSONFault] {
        var tried: Set<MarkedCanvases> = []
        var (faults, remarks) = ([JSONFault](), [JSONFault]())
        let categories = configuration.categories.sorted { $0.key < $1.key }
            .map { ("categories.\(FileName.escaped($0.key)).watermarks", $0.value) }
        let lists =
            [("sticker.watermarks", configuration.sticker)] + categories
            + configuration.markFolderSettings
        for (path, settings) in lists
        where !settings.watermarks.isEmpty {
            var alone = configuration
            (alone.sticker, alone.categories) = (settings, [:])
            let recipe = alone.recipe(of: CategoryNames(folder: nil))
            let marked = MarkedCanvases(
                marks: settings.watermarks, canvases: Set(recipe.targets.map(\.canvas)))
            guard tried.insert(marked).inserted else { continue }
            let found = try check(marksOf: recipe, path, configuration.limits)
            faults += found.faults
            remarks += found.remarks
        }
        guard faults.isEmpty else { throw ConfigurationError(faults: faults) }
        let marks = lists.flatMap(\.1.watermarks)
        texts.keep(
            Set(marks.compactMap { if case .text(let text, _) = $0.content { text } else { nil } }))
        files.keep(Set(marks.compactMap { $0.file?.content?.hash }))
        return remarks
    }

    /// Tests in a worker whether the marks of a category can be drawn.
    ///
    /// - Parameters:
    ///   - category: the category, with its look.
    ///   - configuration: the settings.
    /// - Returns: the faults of marks that cannot.
    /// - Throws: `WorkerUnavailable`.
    public func markFaults(
        of category: CategoryNames, in configuration: Configuration
    ) throws -> [JSONFault] {
        try check(
            marksOf: configuration.recipe(of: category), "look.watermarks", configuration.limits
        ).faults
    }

    private func check(
        marksOf recipe: Recipe, _ path: String, _ limits: DecodeLimits
    ) throws -> (faults: [JSONFault], remarks: [JSONFault]) {
        var recipe = recipe
        recipe.cmykProfile = nil
        var (faults, remarks) = try draw(&recipe.settings.watermarks, path, limits)
        guard faults.isEmpty else { return (faults, remarks) }
        remarks += recipe.marksOnNothing.map { JSONFault(path: path, message: $0) }
        for warning in try idle(recipe, limits).report.warnings {
            let fault = JSONFault(path: path, message: warning.detail)
            if ["watermark-cut", UnknownCharacters.warningCode].contains(warning.code) {
                remarks.append(fault)
            } else {
                faults.append(fault)
            }
        }
        return (faults, remarks)
    }

    /// Draws the texts and the SVG files among marks, and reports their faults.
    private func draw(
        _ marks: inout [Watermark], _ path: String, _ limits: DecodeLimits
    ) throws -> (faults: [JSONFault], remarks: [JSONFault]) {
        func note(_ index: Int, _ key: String, _ message: String) -> JSONFault {
            let id = FileName.escaped(marks[index].id)
            return JSONFault(path: "\(path).\(id).\(key)", message: message)
        }
        let remarks: [JSONFault]
        do {
            try texts.draw(&marks, by: configuration(), limits)
            remarks = try files.draw(&marks) { try picture(of: $0, limits) }
                .map { note($0.index, "image", $0.remark) }
        } catch let error as TextMaking.Faults {
            return (error.faults.map { note($0.index, "text", $0.message) }, [])
        } catch let fault as DrawnFiles.Fault {
            return ([note(fault.index, "image", fault.description)], [])
        }
        let faults = [
            Self.tooMany(
                "texts", marks.reduce(0) { $0 + $1.textBytes }, DrawnText.totalBytesMax, path),
            Self.tooMany(
                "pictures", marks.reduce(0) { $0 + ($1.file?.content?.bytes.count ?? 0) },
                WatermarkFile.totalBytesMax, path),
        ]
        return (faults.compactMap(\.self), remarks)
    }

    /// The marks are sent with each picture.
    private static func tooMany(
        _ what: String, _ bytes: Int, _ limit: Int, _ path: String
    ) -> JSONFault? {
        guard bytes > limit else { return nil }
        return JSONFault(
            path: path,
            message: "its \(what) have \(bytes.grouped) B once they are drawn, limit "
                + "\(limit.grouped) B; make them smaller")
    }

    /// Draws an SVG mark, confined like any other drawing.
    ///
    /// - Parameters:
    ///   - content: the file.
    ///   - limits: of pictures.
    /// - Returns: a PNG with the longer side of a usual canvas.
    /// - Throws: `Refusal`, or `WorkerUnavailable`.
    private func picture(
        of content: FileContent, _ limits: DecodeLimits
    ) throws -> DrawnFiles.Drawn {
        let source = SourceBytes(content.bytes)
        let order = WorkOrder(recipe: .mark, limits: limits, isStickerAlone: true)
        switch run(source, order, lane: .only, try reader(of: source)) {
        case .report(let report, _):
            switch report.result {
            case .success(let made):
                return DrawnFiles.Drawn(
                    bytes: made.files.first?.bytes ?? [], remarks: report.warnings.map(\.detail))
            case .failure(.refused(let refusal)), .failure(.worker(let refusal)): throw refusal
            case .failure(.lacking(let why)): throw WorkerUnavailable(description: why)
            case .failure(.yielded): throw WorkerUnavailable(description: "no time")
            }
        case .failed(let refusal, _): throw refusal
        case .unavailable(let why): throw WorkerUnavailable(description: why)
        case .yielded: throw WorkerUnavailable(description: "no memory is left for workers")
        }
    }

    /// Tests in a worker whether the fonts have these characters.
    ///
    /// - Parameters:
    ///   - characters: any.
    ///   - limits: of the time and memory of a worker.
    /// - Returns: the refusal of a smart sticker with them; `nil` if there is none, or if no drawing can be made at
    ///   all.
    /// - Throws: `WorkerUnavailable`.
    public func fontFault(
        of characters: [Character], limits: DecodeLimits
    ) throws -> Refusal? {
        var recipe = Recipe(settings: StickerSettings())
        recipe.refusesUnknownCharacters = true
        let report = make(
            .drawing(of: characters), recipe: recipe, limits: limits, lane: .only)
        switch report.result {
        case .failure(.refused(let refusal)):
            // Without the drawing program there are no smart stickers.
            return refusal.reason == .unknownCharacters ? refusal : nil
        case .failure(.lacking(let why)): throw WorkerUnavailable(description: why)
        default: return nil
        }
    }

    /// The fonts of texts, as text that changes with them; empty if there are none.
    public var fontsText: String {
        (try? DrawingProgram.find(beside: program).fontsText) ?? ""
    }

    /// Runs a worker without a picture.
    private func idle(
        _ recipe: Recipe = Recipe(settings: StickerSettings()),
        _ limits: DecodeLimits = DecodeLimits()
    ) throws -> (report: MakeReport, missingLayers: [String]) {
        let order = WorkOrder(recipe: recipe, limits: limits, isStickerAlone: true)
        var why = ""
        for _ in 0..<Self.checks {
            switch run(SourceBytes([]), order, lane: .only, Reader(path: program)) {
            case .report(let report, let missingLayers): return (report, missingLayers)
            case .unavailable(let reason): throw WorkerUnavailable(description: reason)
            case .failed(let refusal, _): why = "\(program) does not work: \(refusal.detail)"
            case .yielded: why = "\(program) does not work"
            }
        }
        throw WorkerUnavailable(description: why)
    }

    /// Makes a sticker of `source` in a worker, or reports why that failed.
    public func make(
        _ source: SourceBytes, recipe: Recipe, limits: DecodeLimits, lane: WorkLane
    ) -> MakeReport {
        var recipe = recipe
        // The profile may have 4 MB, and matters to no other picture.
        if !PictureOutline.isCMYK(source) { recipe.cmykProfile = nil }
        let marks = recipe.settings.watermarks.compactMap(\.file)
        if let missing = marks.first(where: { $0.content == nil }) {
            let name = FileName.escaped(missing.path)
            return MakeReport(failure: .lacking("the mark \(name) is missing"))
        }
        do {
            try texts.draw(&recipe.settings.watermarks, by: configuration(), limits)
            try files.draw(&recipe.settings.watermarks) { try picture(of: $0, limits) }
        } catch {
            // They were drawn when the configuration was put in force, so this is trouble of the system.
            return MakeReport(failure: .lacking("a watermark cannot be drawn: \(error)"))
        }
        let order = WorkOrder(recipe: recipe, limits: limits, isStickerAlone: isStickerAlone)
        let reader: Reader
        do throws(Refusal) {
            reader = try self.reader(of: source)
        } catch {
            return MakeReport(failure: .refused(error))
        }
        var cpuTime = Duration.zero
        var report: MakeReport
        switch run(source, order, lane: lane, reader, &cpuTime) {
        case .report(let made, _): report = made
        case .failed(let refusal, let log):
            report = MakeReport(failure: .worker(refusal), log: log)
        case .unavailable(let why): report = MakeReport(failure: .lacking(why))
        case .yielded: report = MakeReport(failure: .yielded)
        }
        report.cpuTime = cpuTime
        return report
    }

    /// The result of one run.
    enum Outcome {
        case report(MakeReport, missingLayers: [String])
        /// The worker ended without a usable reply.
        case failed(Refusal, StepLog)
        case unavailable(String)
        case yielded
    }

    /// A program that reads pictures, and the folder of fonts if it is the drawing program.
    private struct Reader {
        var path: String
        var fonts: String?
    }

    /// The program that reads the format of `source`.
    ///
    /// - Throws: a refusal if it is missing; partial installations lack some programs.
    private func reader(of source: SourceBytes) throws(Refusal) -> Reader {
        guard case .picture(let format) = ImageFormat.sniff(source) else {
            return Reader(path: program)
        }
        let path = WorkerProgram.path(program, for: format)
        guard path == program || access(path, X_OK) == 0 else {
            throw .unreadable(format, by: path)
        }
        guard format == .svg else { return Reader(path: path) }
        do {
            return Reader(path: path, fonts: try DrawingProgram.find(beside: program).fonts)
        } catch {
            throw Refusal(
                .unsupportedFormat, "\(format.name) cannot be drawn: \(error)",
                remedy: "then: \(stickerctl: "retry --force --reason unsupported-format")")
        }
    }

    private func run(
        _ source: SourceBytes, _ order: WorkOrder, lane: WorkLane, _ reader: Reader
    ) -> Outcome {
        var cpuTime = Duration.zero
        return run(source, order, lane: lane, reader, &cpuTime)
    }

    private func run(
        _ source: SourceBytes, _ order: WorkOrder, lane: WorkLane, _ reader: Reader,
        _ cpuTime: inout Duration
    ) -> Outcome {
        let worker = configuration()
        let draws = reader.fonts != nil
        var allowance = WorkerAllowance(
            order.limits, targets: order.recipe.targets,
            isFull: draws || lane.isLarge || PictureCost(source).needsMuchMemory,
            isUnsandboxedAllowed: worker.unsandboxed)
        allowance.fontFolder = reader.fonts
        let (start, total) = (ContinuousClock.now, worker.memoryBytesMax)
        guard
            budget.take(
                allowance.memoryBytes, of: total, unless: { lane.shouldYield(.now - start) })
        else { return .yielded }
        defer { budget.giveBack(allowance.memoryBytes) }
        do {
            let server = servers?.server(of: reader.path)
            let process = try WorkerProcess(
                program: reader.path, source: source, order: try order.json(),
                allowance: allowance, server: server)
            let slice = draws && lane.isFirstAttempt ? WorkerTime.drawingSeconds : nil
            let end = process.wait(
                WorkerTime(order.limits, drawing: slice), lane.shouldYield)
            cpuTime = end.cpuTime
            let outcome = WorkerVerdict(end: end, order: order, allowance: allowance).outcome
            if case .failed = outcome { server?.renew() }
            return outcome
        } catch {
            return .unavailable("\(error)")
        }
    }
}

extension SourceBytes {
    /// An SVG with `characters` outside of the visible area, where they cost nothing.
    fileprivate static func drawing(of characters: [Character]) -> SourceBytes {
        let text = characters.flatMap(\.unicodeScalars).filter { $0.value >= 32 }
            .map { "&#\($0.value);" }.joined()
        let svg =
            "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 9 9'>"
            + "<rect width='9' height='9'/><text y='-99'>\(text)</text></svg>"
        return SourceBytes(Array(svg.utf8))
    }
}

extension Recipe {
    /// A recipe for a PNG of a drawing, and nothing else.
    fileprivate static var mark: Recipe {
        let side = MarkText.canvasSide
        var target = Target(
            name: "mark", canvas: TargetCanvas(width: side, height: side, fit: .touch))
        var rules = StillRules()
        (rules.forms, rules.bytesMax) = ([.png, .palettePNG], WatermarkFile.bytesMax)
        target.still = rules
        return Recipe(settings: StickerSettings(), targets: [target])
    }
}

extension Configuration {
    /// Settings that wear every picture of the folder of marks, some at a time.
    fileprivate var markFolderSettings: [(String, StickerSettings)] {
        let pictures = (marks?.pictures ?? [:]).sorted { $0.key < $1.key }
        return pictures.map { name, content in
            var file = WatermarkFile(path: name)
            file.content = content
            var settings = StickerSettings()
            settings.watermarks = [Watermark(id: name, .image(file))]
            return ("marks", settings)
        }
    }
}

extension Watermark {
    /// The size of the pixels of a text, in bytes.
    fileprivate var textBytes: Int {
        if case .text(_, let drawn?) = content { drawn.rows.count } else { 0 }
    }
}

/// Why no picture can be made.
public struct WorkerUnavailable: Error, CustomStringConvertible {
    /// One sentence for the operator, with its remedy.
    public let description: String
}

extension Refusal {
    /// The refusal if the program that reads `format` is not installed.
    fileprivate static func unreadable(_ format: ImageFormat, by program: String) -> Refusal {
        let name = program.split(separator: "/").last.map(String.init) ?? program
        return Refusal(
            .unsupportedFormat,
            "\(format.name) is read by \(name), which is not installed",
            remedy:
                "install all of stickerd, then: \(stickerctl: "retry --force --reason unsupported-format")"
        )
    }
}
