import Logging
import StickerValues

/// The keys of structured log lines, each declared once.
package enum LogKey {
    package static let job = "job.id"
    package static let file = "file"
    package static let category = "category"
    package static let sticker = "sticker"
    package static let step = "step"
    package static let reason = "reason"
    package static let detail = "detail"
    package static let milliseconds = "ms"
    package static let cpuMilliseconds = "cpu.ms"
    package static let bytes = "bytes"
    package static let mode = "mode"
    package static let quality = "quality"
    package static let score = "score"
    package static let renditions = "renditions"
    package static let shortfalls = "shortfalls"
    package static let count = "count"
    package static let generation = "generation"
    package static let path = "path"
    package static let from = "from"
    package static let to = "to"
    package static let error = "error"
    package static let seconds = "s"
    package static let measured = "measured"
    package static let limit = "limit"
    package static let remedy = "remedy"
    package static let see = "see"
    package static let undo = "undo"
}
