public import StickerValues

/// The path of a picture from bytes to finished files, in this process.
public struct StickerPipeline: StickerMaking {
    private let readers: PictureReaders
    private let isStickerAlone: Bool
    private let clock: StepClock
    private let onStep: @Sendable (StepEntry) -> Void

    /// Creates a pipeline; it keeps no state.
    ///
    /// - Parameters:
    ///   - readers: the decoders; `source` of `make` must be of their formats, or of no known format.
    ///   - isStickerAlone: whether to make only the file of the first target: no companion, poster, thumbnails, tray
    ///     icon or renditions.
    ///   - clock: times the steps.
    ///   - onStep: receives each step when it is done.
    public init(
        readers: PictureReaders = .common, isStickerAlone: Bool = false, clock: StepClock = .thread,
        onStep: @escaping @Sendable (StepEntry) -> Void = { _ in }
    ) {
        self.readers = readers
        self.isStickerAlone = isStickerAlone
        self.clock = clock
        self.onStep = onStep
    }

    /// Makes a sticker of `source`, or reports why that failed.
    public func make(
        _ source: SourceBytes, recipe: Recipe, limits: DecodeLimits, lane: WorkLane
    ) -> MakeReport {
        let steps = StepRecorder(clock: clock, onStep: onStep)
        let run = PipelineRun(
            recipe: recipe, readers: readers, limits: limits, isStickerAlone: isStickerAlone,
            steps: steps)
        let result: Result<MadeSticker, MakeFailure>
        do {
            result = .success(try run.make(source))
        } catch {
            result = .failure(.refused(error.telling(bytes: source.count)))
        }
        return MakeReport(
            result: result, format: steps.format, log: steps.log, warnings: steps.warnings)
    }
}
