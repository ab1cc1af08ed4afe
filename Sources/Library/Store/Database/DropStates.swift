/// The states of drops, which are not stored: after a start every drop counts as present until it is missed.
struct DropStates {
    /// Drops whose folder is missing: their jobs wait.
    var absent: Set<String> = []
    /// Until when the previous daemon ran, in milliseconds since 1970; `nil` if unknown.
    var aliveUntil: Int64?
    /// When the current scan of a drop first missed a file, in boot time.
    private var scans: [String: Int64] = [:]
    /// Drops that were fully scanned since the start.
    private var scanned: Set<String> = []

    /// Drops whose current scan has missed files: it may find them under other names.
    var scanning: some Collection<String> { scans.keys }

    /// Notes that the current scan of a drop missed a file.
    ///
    /// - Returns: when it first did: `now`, if this is the first.
    mutating func beginScan(of drop: String, at now: Int64) -> Int64 {
        let began = scans[drop] ?? now
        scans[drop] = began
        return began
    }

    mutating func endScan(of drop: String) {
        scans[drop] = nil
        scanned.insert(drop)
    }

    /// Since when a drop was unobserved, if it was not fully scanned since the start; `nil` if that is unknown.
    func unseenSince(_ drop: String) -> Int64? { scanned.contains(drop) ? nil : aliveUntil }
}
