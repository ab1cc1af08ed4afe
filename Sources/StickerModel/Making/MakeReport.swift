/// What came of one file.
public struct MakeReport: Sendable {
    /// The sticker, or the reason why there is none.
    public var result: Result<MadeSticker, Refusal>
    /// The format by the bytes; `nil` where it is none that is read.
    public var format: ImageFormat?
    /// What was done.
    public var log: StepLog
    /// Oddities that did not stop the work.
    public var warnings: [Warning]

    /// A report.
    public init(
        result: Result<MadeSticker, Refusal>, format: ImageFormat?, log: StepLog,
        warnings: [Warning]
    ) {
        self.result = result
        self.format = format
        self.log = log
        self.warnings = warnings
    }
}

/// Coded without the bytes of the files, see `MadeFile`.
extension MakeReport: Codable {
    private enum CodingKeys: String, CodingKey {
        case sticker, refusal, format, log, warnings
    }

    /// Reads a report of either a sticker or a refusal; a refusal goes first if there are both.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        if let refusal = try values.decodeIfPresent(Refusal.self, forKey: .refusal) {
            result = .failure(refusal)
        } else {
            result = .success(try values.decode(MadeSticker.self, forKey: .sticker))
        }
        format = try values.decodeIfPresent(ImageFormat.self, forKey: .format)
        log = try values.decode(StepLog.self, forKey: .log)
        warnings = try values.decode([Warning].self, forKey: .warnings)
    }

    /// Writes the sticker or the refusal, and what is known in both cases.
    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        switch result {
        case .success(let sticker): try values.encode(sticker, forKey: .sticker)
        case .failure(let refusal): try values.encode(refusal, forKey: .refusal)
        }
        try values.encodeIfPresent(format, forKey: .format)
        try values.encode(log, forKey: .log)
        try values.encode(warnings, forKey: .warnings)
    }
}
