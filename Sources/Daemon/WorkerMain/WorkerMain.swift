public import StickerPipeline

/// The frame of every worker program for pictures: it handles one picture, locks itself in before reading the first
/// byte, and ends after its reply.
public enum WorkerMain {
    /// Works with `readers` according to the command line, and ends the process.
    ///
    /// - Parameters:
    ///   - readers: the decoders that are linked into the program.
    ///   - hasThreads: whether their libraries need threads, which the lock then allows.
    public static func run(_ readers: PictureReaders, hasThreads: Bool = false) -> Never {
        ConfinedProcess.run(hasThreads: hasThreads, warmUp: WarmUp.run) { missingLayers in
            PictureWork(readers: readers, missingLayers: missingLayers).run()
        }
    }
}
