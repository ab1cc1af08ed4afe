/// A change of what a server holds, for whoever counts.
package enum ServerEvent: Sendable {
    /// Why a server ends a connection that its client would keep.
    package enum Cut: String, Sendable, CaseIterable {
        /// Its client has as many as it may.
        case client
        /// All places are taken.
        case places
        /// It takes nothing of an answer, and others wait for the memory.
        case slow
    }

    /// How many clients are connected.
    case connections(Int)
    /// How many bytes of answers wait for clients, small answers not counted.
    case waiting(Int)
    /// A connection was ended.
    case cut(Cut)
}
