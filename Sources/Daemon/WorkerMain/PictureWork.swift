import FoundationEssentials
import Glibc
public import StickerPipeline
import StickerValues
import StickerWorkers

/// Handles an order for a picture, a page, or a look at finished files, from its bytes to the reply.
public struct PictureWork {
    private let readers: PictureReaders
    private let missingLayers: [String]

    /// Waits for an order.
    ///
    /// - Parameters:
    ///   - readers: the decoders of the program.
    ///   - missingLayers: the layers of the lock that the kernel did not provide.
    public init(readers: PictureReaders, missingLayers: [String]) {
        self.readers = readers
        self.missingLayers = missingLayers
    }

    /// Does the work.
    ///
    /// - Returns: the exit code.
    public func run() -> Int32 {
        let text = Data(SealedInput.bytes(WorkerDescriptor.order))
        // Each lacks keys that the others require.
        let (order, sheet) = (try? WorkOrder(json: text), try? SheetOrder(json: text))
        let look = try? LookOrder(json: text)
        guard order != nil || sheet != nil || look != nil else {
            LastWords.write("the order is of another release")
            return WorkerExit.otherRelease
        }
        guard let source = SealedInput.map(WorkerDescriptor.source) else {
            LastWords.write("mmap: \(String(cString: strerror(errno)))")
            return WorkerExit.lacking
        }
        let outbox = WorkerOutbox(socket: WorkerDescriptor.messages)
        outbox.tellBeginning()
        do {
            if let order { try make(order, of: source, outbox) }
            if let sheet { try draw(sheet, of: source, outbox) }
            if let look { try outbox.send(looks: looks(look, at: source)) }
            return 0
        } catch {
            LastWords.write("\(error)")
            return WorkerExit.lacking
        }
    }

    private func make(
        _ order: WorkOrder, of source: SourceBytes, _ outbox: WorkerOutbox
    ) throws {
        let pipeline = StickerPipeline(
            readers: readers, isStickerAlone: order.isStickerAlone, clock: .process
        ) { step in
            outbox.tell(step: step)
        }
        let report = pipeline.make(source, recipe: order.recipe, limits: order.limits)
        try outbox.send(report, missingLayers: missingLayers)
    }

    private func draw(
        _ order: SheetOrder, of source: SourceBytes, _ outbox: WorkerOutbox
    ) throws {
        let drawing = SheetDrawing(
            order.page, order.letters, readers: readers, limits: order.limits)
        let (png, faults) = try drawing.draw(source)
        try outbox.send(sheet: png, faults: faults)
    }

    private func looks(_ order: LookOrder, at source: SourceBytes) -> [PictureLook] {
        var start = 0
        return order.sizes.map { size in
            let end = min(source.count, start + max(0, size))
            let file = source.withUnsafeBytes { SourceBytes(Array($0[start..<end])) }
            start = end
            return PictureLook(at: file, by: readers, limits: order.limits)
        }
    }
}
