public import StickerValues

extension PictureLook {
    /// Decodes every frame of a file.
    ///
    /// - Parameters:
    ///   - file: the file.
    ///   - readers: the decoders.
    ///   - limits: the limits of decoding.
    public init(at file: SourceBytes, by readers: PictureReaders, limits: DecodeLimits) {
        // Margins are counted on a canvas of this size.
        let canvas = TargetCanvas(width: 512, height: 512, fit: .touch)
        let recipe = Recipe(
            settings: StickerSettings(), targets: [Target(name: "look", canvas: canvas)])
        let run = PipelineRun(recipe: recipe, readers: readers, limits: limits)
        self.init()
        do throws(Refusal) {
            let artwork = try run.draw(try run.open(file), on: canvas)
            appearance = try Appearance(of: artwork, drawnAs: artwork)
            // It is drawn as a sticker would be: beginning with a visible frame.
            if run.steps.beganLater { appearance?.startsEmpty = true }
            if case .still = artwork, appearance?.startsEmpty == true {
                (isEmpty, appearance) = (true, nil)
            }
        } catch {
            if error.reason == .noFrames { isEmpty = true } else { fault = error.detail }
        }
    }
}

extension StepRecorder {
    /// Whether an animation begins at a later frame because its first is invisible.
    fileprivate var beganLater: Bool {
        warnings.contains { ["rotated", "started-later"].contains($0.code) }
    }
}
