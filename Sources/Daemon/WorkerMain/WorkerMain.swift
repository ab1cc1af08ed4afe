public import StickerPipeline

/// What every worker program for pictures does: one picture, locked in before its first byte is read, and gone with
/// its reply.
public enum WorkerMain {
    /// Works with `readers` as the command line says, and ends the process.
    ///
    /// - Parameters:
    ///   - readers: the decoders that are linked into the program.
    ///   - hasThreads: whether their libraries need threads, which the lock then allows.
    public static func run(_ readers: PictureReaders, hasThreads: Bool = false) -> Never {
        ConfinedProcess.run(hasThreads: hasThreads) { missingLayers in
            PictureWork(readers: readers, missingLayers: missingLayers).run()
        }
    }
}
