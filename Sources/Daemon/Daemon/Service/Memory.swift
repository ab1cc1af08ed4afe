import CLinux

/// Keeps the process small over months.
///
/// Pictures come in all sizes and threads come and go, so the free memory in glibc's heaps becomes fragmented and grows
/// to several times the memory in use, unless it is returned now and then.
enum Memory {
    /// How many heaps all threads share.
    private static let heaps: Int32 = 2

    /// Must be called before threads are started.
    static func prepare() { clinux_share_heaps(heaps) }

    /// Returns free memory to the system; costs about a millisecond.
    static func giveBack() { clinux_return_free_memory() }
}
