import Logging
import StickerModel

/// Hands lines on to another handler; commands in them are about the library of uploads.
struct UploadsLogHandler: LogHandler {
    private static let keys = [LogKey.see, LogKey.undo, LogKey.remedy, LogKey.detail]

    var inner: any LogHandler

    var metadata: Logger.Metadata {
        get { inner.metadata }
        set { inner.metadata = newValue }
    }

    var logLevel: Logger.Level {
        get { inner.logLevel }
        set { inner.logLevel = newValue }
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { inner[metadataKey: key] }
        set { inner[metadataKey: key] = newValue }
    }

    func log(event: LogEvent) {
        var event = event
        for key in Self.keys {
            guard let value = event.metadata?[key] else { continue }
            event.metadata?[key] = "\("\(value)".withCommandsForUploads)"
        }
        inner.log(event: event)
    }
}
