import StickerDrawing
import StickerRaster
import StickerValues
import StickerWorkerMain
import StickerWorkers

/// Handles an order for texts, up to the reply.
struct TextWork {
    let order: TextOrder
    let fonts: Result<FontFolder, TextFault>

    /// Draws the texts.
    ///
    /// - Returns: the exit code.
    func run() -> Int32 {
        let outbox = WorkerOutbox(socket: WorkerDescriptor.messages)
        outbox.tellBeginning()
        do {
            let drawing = TextDrawing(fonts: try fonts.get())
            var outcomes: [TextOutcome] = []
            for text in order.texts {
                let start = ContinuousClock.now
                outcomes.append(try outcome(of: text, drawing))
                outbox.tell(
                    step: StepEntry(
                        "text \(outcomes.count)",
                        milliseconds: (.now - start).inMilliseconds, ""))
            }
            try outbox.send(texts: outcomes)
            return 0
        } catch {
            LastWords.write("\(error)")
            return WorkerExit.lacking
        }
    }

    /// The result of `text`.
    ///
    /// - Throws: `TextFault` if it is not the text's own.
    private func outcome(
        of text: MarkText, _ drawing: TextDrawing
    ) throws(TextFault) -> TextOutcome {
        do throws(TextFault) {
            let result = try drawing.draw(text)
            let (scale, rise, unknown) = (result.scale, result.rise, result.unknown)
            let pixels = result.takePixels()
            return .drawn(
                size: pixels.size, scale: scale, rise: rise,
                rows: pixels.withUnsafeBytes { Array($0) }, unknown: unknown)
        } catch {
            if error.code == .outOfMemory { throw error }
            return .faulty(error.description)
        }
    }
}
