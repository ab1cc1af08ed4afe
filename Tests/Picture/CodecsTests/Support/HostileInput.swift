import StickerCodecs
import StickerValues
import Testing

/// How a decoder ended: with pixels or with an error, never otherwise.
enum Ending: Equatable {
    case pixels(Int)
    case error(CodecError)
}

/// Decodes `file` as the still picture it says it is.
func ending(_ file: [UInt8], limits: DecodeLimits = DecodeLimits()) -> Ending {
    do throws(CodecError) {
        return .pixels(try decodeStill(SourceBytes(file), limits: limits).bytes.hashValue)
    } catch {
        return .error(error)
    }
}

/// Cuts `file` at every length below its own; none may give pixels.
func expectNoPixelsFromAnyPrefix(
    of file: [UInt8], _ ending: ([UInt8]) -> Ending, location: SourceLocation = #_sourceLocation
) {
    for length in 0..<file.count {
        if case .pixels = ending(Array(file[..<length])) {
            Issue.record("pixels from \(length) of \(file.count) bytes", sourceLocation: location)
        }
    }
}

/// Changes bytes of `file` at random; decoding ends, twice in the same way.
func expectStableEndings(
    of file: [UInt8], rounds: Int, _ ending: ([UInt8]) -> Ending,
    location: SourceLocation = #_sourceLocation
) {
    var numbers = SeededNumbers(20_260_101)
    for round in 0..<rounds {
        var damaged = file
        for _ in 0...(round % 4) {
            damaged[Int.random(in: 0..<file.count, using: &numbers)] = UInt8.random(
                in: 0...255, using: &numbers)
        }
        #expect(ending(damaged) == ending(damaged), sourceLocation: location)
    }
}
