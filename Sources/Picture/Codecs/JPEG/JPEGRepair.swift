import StickerContainers
import StickerValues

/// Mends harmless faults, so that every remaining warning of TurboJPEG means invented pixels.
///
/// These faults are stray bytes between segments, a JFIF version that does not exist, and an Adobe colour transform
/// that does not exist. libjpeg skips all three with a warning, and then does not report further warnings.
enum JPEGRepair {
    /// Whether the segment needs mending.
    static func isNeeded(
        _ segment: JPEGSegments.Segment, _ bytes: UnsafeRawBufferPointer
    ) -> Bool {
        !segment.junk.isEmpty || mend(segment, bytes, componentCount: 3) != nil
    }

    /// A mended copy of `source`, a picture of `componentCount` components.
    static func mended(_ source: UnsafeRawBufferPointer, componentCount: Int) -> SourceBytes {
        var copy: [UInt8] = []
        copy.reserveCapacity(source.count)
        var keptFrom = 0
        for segment in JPEGSegments(source) {
            copy += source[keptFrom..<segment.junk.lowerBound]
            keptFrom = segment.junk.upperBound
            if let (offset, value) = mend(segment, source, componentCount: componentCount) {
                copy += source[keptFrom..<offset]
                copy.append(value)
                keptFrom = offset + 1
            }
            if segment.marker == JPEGMarker.eoi { break }
        }
        copy += source[keptFrom...]
        return SourceBytes(copy)
    }

    /// The byte to replace, and the value that libjpeg would assume.
    private static func mend(
        _ segment: JPEGSegments.Segment, _ bytes: UnsafeRawBufferPointer, componentCount: Int
    ) -> (offset: Int, value: UInt8)? {
        let data = bytes.part(segment.data)
        switch segment.marker {
        case JPEGMarker.app0 where data.count >= 14 && data.has("JFIF\0") && data[5] != 1:
            return (segment.data.lowerBound + 5, 1)
        case JPEGMarker.app14 where data.count >= 12 && data.has("Adobe") && data[11] > 2:
            return (segment.data.lowerBound + 11, componentCount == 4 ? 2 : 1)
        default:
            return nil
        }
    }
}
