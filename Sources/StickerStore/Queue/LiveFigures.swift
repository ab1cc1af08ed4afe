/// What only the running daemon knows, kept in the store for tools to read. Times are milliseconds
/// since 1970.
public struct LiveFigures: Hashable, Sendable, Codable {
    /// The version of the daemon.
    public var version: String
    /// When it started.
    public var startedAt: Int64
    /// Whether everything that lay in the drops at the start is in the books.
    public var isReady = false
    /// Why no job is started, one line; absent while all is well.
    public var paused: String?
    /// When all folders were last listed; absent before the first time.
    public var scannedAt: Int64?
    /// Folders below the drops that are watched.
    public var folders = 0
    /// Files that are left alone because of their names.
    public var ignoredFiles = 0
    /// What works less well than it should, a line each.
    public var troubles: [String] = []

    /// The figures of a daemon that starts.
    public init(version: String, startedAt: Int64) {
        self.version = version
        self.startedAt = startedAt
    }
}

extension JobStore {
    /// Keeps the figures; writes only where they changed.
    ///
    /// - Throws: `StoreError`; the figures of before stay.
    public func setLiveFigures(_ figures: LiveFigures) throws(StoreError) {
        try setNote("live", to: figures)
    }

    /// The figures that the daemon kept last; it may have ended since.
    ///
    /// - Throws: `StoreError` where the database cannot be read.
    public func liveFigures() throws(StoreError) -> LiveFigures? {
        try note("live", as: LiveFigures.self)
    }

    func setNote(_ key: String, to value: some Encodable) throws(StoreError) {
        try write { transaction in
            let text = try StoredJSON.text(value)
            guard try transaction.note(key) != text else { return }
            try transaction.setNote(key, text)
        }
    }

    /// A note of another version, that reads differently, counts as none.
    func note<Value: Decodable>(_ key: String, as type: Value.Type) throws(StoreError) -> Value? {
        try read { transaction in
            try transaction.note(key).flatMap { try? StoredJSON.decode(type, from: $0) }
        }
    }
}
