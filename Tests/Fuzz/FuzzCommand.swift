import CFuzzer
import Glibc
import StickerValues

// libFuzzer has the `main`; it looks these functions up by their names.
// stickerd-fuzz TARGET [OPTION OF LIBFUZZER...] [FOLDER OF INPUTS...]
// stickerd-fuzz worker-seeds FOLDER-OF-ORDERS FOLDER-OF-REPLIES PICTURE...
// Without arguments it lists the targets.

/// The target; set once, before the first input.
nonisolated(unsafe) private var target = FuzzTarget.names

/// Takes the name of the target out of the arguments.
@_cdecl("LLVMFuzzerInitialize")
func initialize(
    _ count: UnsafeMutablePointer<Int32>,
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>
) -> Int32 {
    let words = CommandLine.arguments.dropFirst()
    guard let name = words.first else {
        print(FuzzTarget.allCases.map(\.rawValue).joined(separator: "\n"))
        exit(0)
    }
    if name == "worker-seeds", words.count > 3 {
        do {
            try WorkerSeeds.write(
                orderTo: words[2], pictures: Array(words.dropFirst(3)), repliesTo: words[3])
            exit(0)
        } catch {
            fatalError("\(error)")
        }
    }
    guard let named = FuzzTarget(rawValue: name) else { fatalError("no target is named \(name)") }
    target = named
    arguments.pointee[1] = arguments.pointee[0]
    arguments.pointee += 1
    count.pointee -= 1
    return 0
}

/// Tries one input.
@_cdecl("LLVMFuzzerTestOneInput")
func test(_ data: UnsafePointer<UInt8>, _ size: Int) -> Int32 {
    target.run(UnsafeRawBufferPointer(start: data, count: size))
    return 0
}

/// Makes one change of an input.
@_cdecl("LLVMFuzzerCustomMutator")
func mutate(
    _ data: UnsafeMutablePointer<UInt8>, _ size: Int, _ sizeMax: Int, _ seed: UInt32
) -> Int {
    let size = LLVMFuzzerMutate(data, size, sizeMax)
    // With a wrong checksum only the checksum would be tested; one in eight stays wrong.
    if target == .png || target == .apng, !seed.isMultiple(of: 8) {
        PNGRepair.repair(UnsafeMutableRawBufferPointer(start: data, count: size))
    }
    return size
}
