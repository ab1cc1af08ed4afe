import Logging
import StickerModel

/// The keys of structured log lines, each declared once.
enum LogKey {
    static let job = "job.id"
    static let file = "file"
    static let category = "category"
    static let sticker = "sticker"
    static let step = "step"
    static let reason = "reason"
    static let detail = "detail"
    static let milliseconds = "ms"
    static let bytes = "bytes"
    static let mode = "mode"
    static let quality = "quality"
    static let score = "score"
    static let renditions = "renditions"
    static let shortfalls = "shortfalls"
    static let attempt = "attempt"
    static let count = "count"
    static let generation = "generation"
    static let path = "path"
    static let from = "from"
    static let to = "to"
    static let error = "error"
    static let seconds = "s"
    static let measured = "measured"
    static let limit = "limit"
    static let remedy = "remedy"
    static let see = "see"
    static let undo = "undo"
}
