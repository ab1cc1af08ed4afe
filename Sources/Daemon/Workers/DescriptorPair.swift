import CLinux
import Glibc
import StickerSystem

/// Two descriptors that belong together: one for the worker, one for its owner.
struct DescriptorPair: ~Copyable {
    let theirs: Descriptor
    let ours: Descriptor

    /// A pipe whose read end is the worker's.
    static func pipe() throws(WorkerTrouble) -> DescriptorPair {
        var ends: [Int32] = [-1, -1]
        guard clinux_pipe(&ends) == 0 else { throw WorkerTrouble("pipe2") }
        return DescriptorPair(ends)
    }

    /// The two ends of a connection that keeps messages apart.
    static func messages() throws(WorkerTrouble) -> DescriptorPair {
        var ends: [Int32] = [-1, -1]
        let type = Int32(SOCK_SEQPACKET.rawValue | SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, type, 0, &ends) == 0 else { throw WorkerTrouble("socketpair") }
        return DescriptorPair(ends)
    }

    private init(_ ends: [Int32]) {
        theirs = Descriptor(adopting: ends[0])
        ours = Descriptor(adopting: ends[1])
    }
}
