public import FoundationEssentials

extension Configuration {
    /// Reads a `config.json`.
    ///
    /// - Throws: `ConfigurationError` with every fault: unknown keys, values of the wrong type or
    ///   outside their range, each with its JSON path.
    public init(json: Data) throws(ConfigurationError) {
        let value: JSONValue
        do {
            value = try JSONDecoder().decode(JSONValue.self, from: json)
        } catch {
            throw ConfigurationError(faults: [
                ConfigurationFault(path: "", message: "not JSON: \(Self.reason(of: error))")
            ])
        }
        self.init()
        let faults = FaultList()
        var reader = ConfigurationReader(value, path: "", faults: faults)
        read(&reader)
        reader.finish()
        guard faults.faults.isEmpty else { throw ConfigurationError(faults: faults.faults) }
    }

    private static func reason(of error: any Error) -> String {
        guard case DecodingError.dataCorrupted(let context) = error else { return "\(error)" }
        return context.underlyingError.map { "\($0)" } ?? context.debugDescription
    }

    private mutating func read(_ reader: inout ConfigurationReader) {
        reader.strings("drops", &drops, "a list of 1 to 64 different folders") {
            (1...64).contains($0.count) && Set($0).count == $0.count
                && $0.allSatisfy { !$0.isEmpty }
        }
        reader.string("out", &out, "a folder") { !$0.isEmpty }
        reader.string("state", &state, "a folder") { !$0.isEmpty }
        reader.string("defaultCategory", &defaultCategory, "a folder's name") {
            !$0.isEmpty && !$0.contains("/")
        }
        reader.integer("workers", &workers, in: 0...64)
        reader.object("watch") { watch.read(&$0) }
        reader.object("queue") { queue.read(&$0) }
        reader.object("publish") { publish.read(&$0) }
        reader.object("limits") { limits.read(&$0) }
        reader.object("sticker") { sticker.read(&$0) }
        reader.objects("categories") { name, reader in
            var settings = sticker
            settings.read(&reader)
            categories[name] = settings
        }
    }
}

extension WatchConfiguration {
    fileprivate mutating func read(_ reader: inout ConfigurationReader) {
        reader.choice("backend", &backend)
        reader.number("settleSeconds", &settleSeconds, in: 0.1...60)
        reader.number("settlePollingSeconds", &settlePollingSeconds, in: 0.1...300)
        reader.number("arrivingSecondsMax", &arrivingSecondsMax, in: 1...3600)
        reader.number("pollSeconds", &pollSeconds, in: 0.1...3600)
        reader.number("rescanSeconds", &rescanSeconds, in: 1...86400)
    }
}

extension QueueConfiguration {
    fileprivate mutating func read(_ reader: inout ConfigurationReader) {
        reader.numbers("retrySeconds", &retrySeconds, in: 0.1...86400, countMax: 20)
        reader.integer("historyDays", &historyDays, in: 1...3650)
    }
}

extension PublishConfiguration {
    fileprivate mutating func read(_ reader: inout ConfigurationReader) {
        reader.string(
            "publicBaseURL", &publicBaseURL, "empty, or an http or https URL that ends in /"
        ) {
            $0.isEmpty
                || ($0.hasSuffix("/") && ($0.hasPrefix("http://") || $0.hasPrefix("https://")))
        }
        reader.number("deleteGraceSeconds", &deleteGraceSeconds, in: 0...86400)
        reader.number("oldRevisionHours", &oldRevisionHours, in: 0...8760)
        reader.number("trashDays", &trashDays, in: 0...3650)
        reader.integer("pageEntriesMax", &pageEntriesMax, in: 10...100_000)
        reader.integer("freeSpaceReserveBytes", &freeSpaceReserveBytes, in: 0...1_000_000_000_000)
    }
}

extension DecodeLimits {
    fileprivate mutating func read(_ reader: inout ConfigurationReader) {
        reader.integer("sourceBytesMax", &sourceBytesMax, in: 1024...1_073_741_824)
        reader.integer("sidePixelsMax", &sidePixelsMax, in: 16...65535)
        reader.integer("framePixelsMax", &framePixelsMax, in: 256...1_000_000_000)
        reader.integer("framesMax", &framesMax, in: 1...100_000)
        reader.integer("totalPixelsMax", &totalPixelsMax, in: 256...100_000_000_000)
        reader.integer("jpegScansMax", &jpegScansMax, in: 1...10_000)
        reader.integer("decoderBytesMax", &decoderBytesMax, in: 1_000_000...4_000_000_000)
    }
}

extension StickerSettings {
    fileprivate mutating func read(_ reader: inout ConfigurationReader) {
        reader.integer("stillBytesMax", &stillBytesMax, in: 1000...10_000_000)
        reader.integer("animatedBytesMax", &animatedBytesMax, in: 1000...50_000_000)
        reader.integer("trayBytesMax", &trayBytesMax, in: 1000...1_000_000)
        reader.integer("marginPixels", &marginPixels, in: 0...200)
        reader.choice("resample", &resample)
        reader.integer("qualityMin", &qualityMin, in: 0...100)
        reader.array("thumbnails", &thumbnails, countMax: 8) { item in
            var thumbnail = Thumbnail(pixels: 144, format: .png)
            item.integer("pixels", &thumbnail.pixels, in: 16...512)
            var format = ThumbnailFormat.png
            item.choice("format", &format)
            thumbnail.format = format == .png ? .png : .webp
            return thumbnail
        }
        reader.bool("companions", &companions)
        reader.strings("emojis", &emojis, "a list of up to 3 emoji, each a single one") {
            $0.count <= 3 && $0.allSatisfy { $0.count == 1 && $0.first?.isEmoji == true }
        }
    }

    private enum ThumbnailFormat: String, CaseIterable { case png, webp }
}
