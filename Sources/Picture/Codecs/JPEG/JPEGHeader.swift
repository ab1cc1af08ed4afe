import StickerContainers
import StickerRaster
import StickerValues

/// The statements of the markers of a JPEG; TurboJPEG reports neither orientation nor profile nor scans.
struct JPEGHeader {
    private(set) var frame: JPEGFrame
    private(set) var scanCount = 0
    /// Decisions that arithmetic decoding may have to make, counted over all scans.
    private var decodingSteps = 0
    private(set) var orientation = Orientation.up
    private(set) var profile: ColorFacts.Profile?
    /// Whether TurboJPEG's warnings can be judged only on a copy mended by `JPEGRepair`.
    private(set) var needsRepair = false

    /// Walks all markers once, up to EOI.
    init(
        _ bytes: UnsafeRawBufferPointer, limits: DecodeLimits, accepting damage: AcceptedDamage?
    ) throws(CodecError) {
        frame = try Self.frame(bytes)
        try limits.check(frame.size, .jpeg)
        var profileParts = JPEGProfileParts()
        var hasEXIF = false
        var unscanned = Set(frame.components.map(\.id))
        var isEnded = false
        for segment in JPEGSegments(bytes) {
            if JPEGRepair.isNeeded(segment, bytes) { needsRepair = true }
            let data = bytes.part(segment.data)
            switch segment.marker {
            // As in browsers, metadata must precede the pixels, and the first EXIF counts even if it is empty.
            case JPEGMarker.app1 where data.has("Exif\0\0"):
                guard !hasEXIF, scanCount == 0 else { continue }
                hasEXIF = true
                orientation = EXIF.orientation(data)
            case JPEGMarker.app2 where scanCount == 0: profileParts.add(segment.data, bytes)
            case JPEGMarker.sos:
                unscanned.subtract(JPEGFrame.scannedComponents(data))
                scanCount += 1
                try Self.check(scanCount, limits)
                decodingSteps += frame.steps(ofScan: data)
            case JPEGMarker.eoi: isEnded = true
            default: break
            }
            if isEnded { break }
        }
        if !isEnded {
            try damage.accept(
                CodecError(.truncated, .jpeg, "the file ends without an end marker"))
        }
        try Self.check(steps: decodingSteps, limits)
        guard unscanned.isEmpty else {
            throw CodecError(.malformed, .jpeg, "there is no scan for a colour component")
        }
        profile = profileParts.joined(bytes)
        try limits.check(decoderBytes: workingBytes, .jpeg)
    }

    /// Memory TurboJPEG needs in addition to the picture it returns: nearly none if one scan suffices.
    var workingBytes: Int {
        frame.isProgressive || scanCount > 1 ? frame.coefficientBytes : 0
    }

    private static func frame(_ bytes: UnsafeRawBufferPointer) throws(CodecError) -> JPEGFrame {
        for segment in JPEGSegments(bytes) {
            if JPEGMarker.isFrame(segment.marker) {
                return try JPEGFrame(marker: segment.marker, bytes.part(segment.data))
            }
            if segment.marker == JPEGMarker.sos || segment.marker == JPEGMarker.eoi {
                throw CodecError(.malformed, .jpeg, "there is no frame header")
            }
        }
        throw CodecError(.truncated, .jpeg, "the file ends before its frame header")
    }

    /// TurboJPEG cannot be interrupted, and with arithmetic coding the number of bytes does not limit the time.
    private static func check(steps: Int, _ limits: DecodeLimits) throws(CodecError) {
        let seconds = steps / stepsPerSecond
        guard seconds <= limits.cpuSecondsMax else {
            throw CodecError(
                .tooComplex, .jpeg, "decoding its arithmetic-coded scans may take too long",
                measured: "up to \(seconds) s",
                limit: "\(limits.cpuSecondsMax) s (limits.cpuSecondsMax)")
        }
    }

    /// The approximate speed of one core.
    private static let stepsPerSecond = 100_000_000

    private static func check(_ scanCount: Int, _ limits: DecodeLimits) throws(CodecError) {
        guard scanCount <= limits.jpegScansMax else {
            throw CodecError(
                .tooComplex, .jpeg, "the JPEG has too many scans",
                measured: "\(scanCount) or more scans",
                limit: "\(limits.jpegScansMax) scans (limits.jpegScansMax)")
        }
    }
}

extension JPEGFrame {
    fileprivate static func scannedComponents(_ data: UnsafeRawBufferPointer) -> [UInt8] {
        (0..<Int(data.byte(at: 0) ?? 0)).compactMap { data.byte(at: 1 + 2 * $0) }
    }

    /// Coefficients that a scan may code if it is arithmetic (ITU T.81, B.2.3).
    fileprivate func steps(ofScan data: UnsafeRawBufferPointer) -> Int {
        guard isArithmetic, let count = data.byte(at: 0),
            let first = data.byte(at: 1 + 2 * Int(count)),
            let last = data.byte(at: 2 + 2 * Int(count))
        else { return 0 }
        let band = isProgressive ? max(0, Int(min(last, 63)) - Int(first)) + 1 : 64
        let ids = Self.scannedComponents(data)
        let scanned = components.filter { ids.contains($0.id) }
        return scanned.reduce(0) { $0 + coefficientCount(of: $1) } / 64 * band
    }
}
