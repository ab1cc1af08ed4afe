import StickerCodecs
import StickerValues

extension Refusal {
    /// The refusal of a file after a codec error.
    init(_ error: CodecError) {
        self.init(
            Self.reason(of: error.code), Self.sentence(of: error), measured: error.measured,
            limit: error.limit,
            remedy: error.format == .svg
                ? Self.drawingRemedy(for: error.code) : Self.remedy(for: error.code))
    }

    /// Runs `body`, and turns codec errors into refusals.
    static func catching<Value: ~Copyable>(
        _ body: () throws -> Value
    ) throws(Refusal) -> Value {
        do {
            return try body()
        } catch let refusal as Refusal {
            throw refusal
        } catch let error as CodecError {
            throw Refusal(error)
        } catch {
            preconditionFailure("neither a codec nor a rule throws \(error)")
        }
    }

    private static func reason(of code: CodecError.Code) -> Reason {
        switch code {
        case .truncated: .truncated
        case .malformed: .corrupt
        case .unsupported: .unsupportedVariant
        case .badDimensions: .badDimensions
        case .tooManyPixels: .tooManyPixels
        case .tooManyFrames: .tooManyFrames
        case .tooComplex, .outOfTime: .tooComplex
        case .noFrames: .noFrames
        case .outOfMemory: .outOfMemory
        case .encoder: .verificationFailed
        }
    }

    private static func sentence(of error: CodecError) -> String {
        let name = error.format.name
        return switch error.code {
        case .truncated: "the \(name) is cut off"
        case .malformed: "the \(name) is damaged: \(error.detail)"
        case .unsupported: "this kind of \(name) is not read: \(error.detail)"
        case .encoder: "writing \(name) failed: \(error.detail)"
        case .badDimensions: "the \(name) \(error.detail)"
        case .outOfTime: error.detail
        case .noFrames: "the \(name) shows nothing: \(error.detail)"
        default: "the \(name) is over a limit: \(error.detail)"
        }
    }

    /// For a vector drawing.
    private static func drawingRemedy(for code: CodecError.Code) -> String {
        switch code {
        case .malformed: "open it in a vector editor and export it again, or export it as PNG"
        case .badDimensions: "give it a width and a height, or a viewBox"
        case .tooComplex, .tooManyPixels: "simplify it, or export it as PNG"
        case .noFrames:
            "draw shapes or text in it, and emoji as shapes; embed its pictures, in any format but HEIC"
        default: remedy(for: code)
        }
    }

    private static func remedy(for code: CodecError.Code) -> String {
        switch code {
        case .truncated: "copy the file again, whole"
        case .malformed: "open it in an image editor and export it again"
        case .unsupported: "export it as an ordinary 8-bit PNG or JPEG"
        case .badDimensions: "export it with sides within the limit; a sticker has 512x512 pixels"
        case .tooManyPixels: "scale it down; a sticker has 512x512 pixels"
        case .tooManyFrames: "shorten the animation or leave out frames"
        case .tooComplex: "export it again as a baseline file"
        case .outOfTime: "leave out frames, or make it smaller or less noisy"
        case .noFrames: "export it again with at least one visible frame"
        case .outOfMemory: "scale it down, or give the daemon more memory"
        case .encoder: "report it with the file; this is a fault of stickerd"
        }
    }
}

extension Refusal {
    /// Adds where a file is cut off.
    func telling(bytes: Int) -> Refusal {
        guard reason == .truncated else { return self }
        var refusal = self
        refusal.detail += " after \(bytes.grouped) bytes"
        return refusal
    }
}
