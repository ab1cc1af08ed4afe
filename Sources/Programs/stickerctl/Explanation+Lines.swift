import StickerConfiguration
import StickerReports
import StickerStore
import StickerValues

extension Explanation {
    /// For a terminal, at most 80 columns.
    var lines: [String] {
        var lines = former.map { FileName.escaped($0).wrapped(indent: 2) } ?? []
        lines += "\(story.sticker) (\(FileName.escaped(story.file)))".wrapped(indent: 2)
        lines += entry("chosen", chosen) + entry("tried", tried) + entry("better", help)
        if let scaled { lines += entry("scaled", "to \(scaled).") }
        if let granted = story.concessions { lines += entry("granted", granted.shown) }
        for warning in warnings {
            lines += entry("warning", "\(warning.code): \(FileName.escaped(warning.detail))")
        }
        for fault in faults {
            lines += entry(
                "older", "in an earlier release \(fault); \(stickerctl: "redo \(story.sticker)")")
        }
        for rendition in renditions {
            lines += entry(
                rendition.isMade ? "also" : "not",
                "for \(rendition.target): \(FileName.escaped(rendition.text))")
        }
        if !story.twins.isEmpty {
            lines += entry(
                "shared",
                "the same picture as \(story.twins.map(\.rawValue).joined(separator: ", "))")
        }
        if let job = story.refused ?? story.made {
            lines += entry("log", "\(stickerctl: "show \(job.job.id)")")
        }
        return lines
    }
}
