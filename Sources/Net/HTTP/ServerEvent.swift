/// An event of a server, for metrics.
package enum ServerEvent: Sendable {
    /// Why a server closes a connection that its client would keep.
    package enum Cut: String, Sendable, CaseIterable {
        /// Its client has as many as it may.
        case client
        /// All places are taken.
        case places
        /// It does not read its answer, and others wait for the memory.
        case slow
    }

    /// How many clients are connected.
    case connections(Int)
    /// How many bytes of answers wait for clients, without small answers.
    case waiting(Int)
    /// A connection was closed.
    case cut(Cut)
}
