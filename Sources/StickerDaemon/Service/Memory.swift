import CLinux

/// Keeps a process that runs for months small.
///
/// Pictures come in all sizes and threads come and go, so the free memory of glibc's heaps lies in
/// pieces and grows to several times of what is in use, unless it is given back now and then.
enum Memory {
    /// Heaps for all threads together.
    private static let heaps: Int32 = 2

    /// To be called before threads are started.
    static func prepare() { clinux_share_heaps(heaps) }

    /// Gives free memory back; costs about a millisecond.
    static func giveBack() { clinux_return_free_memory() }
}
