import CLinux
import Glibc
import StickerWorkers

/// A process that becomes a worker in copies of itself; see `ForkServer`.
enum ForkService {
    /// Its name in lists of processes: 15 bytes at most.
    private static let name = "stickerd-forker"

    /// Serves until the owner ends, and returns in each copy.
    ///
    /// - Returns: the command line of the worker that the copy is to be, after the program's name.
    static func serve() -> [String] {
        // Copies would copy freed pages one by one.
        clinux_return_free_memory()
        clinux_set_process_name(name)
        answer(ForkProtocol.ready)
        while true {
            var bytes = [UInt8](repeating: 0, count: ForkProtocol.requestBytesMax)
            var descriptors = [Int32](repeating: -1, count: Int(WorkerDescriptor.count))
            var count = WorkerDescriptor.count
            var polled = pollfd(fd: ForkProtocol.socket, events: Int16(POLLIN), revents: 0)
            guard poll(&polled, 1, -1) > 0 else { continue }
            let length = clinux_receive(
                ForkProtocol.socket, &bytes, bytes.count, &descriptors, &count)
            guard length > 0, count == WorkerDescriptor.count else { _exit(0) }
            let process = clinux_fork_sibling()
            if process == 0 {
                guard clinux_become_child(descriptors, count) == 0 else {
                    let error = String(cString: strerror(errno))
                    let words = Array("taking its descriptors: \(error)\n".utf8)
                    _ = write(descriptors[Int(WorkerDescriptor.errors)], words, words.count)
                    _exit(WorkerExit.lacking)
                }
                clinux_set_process_name(programName)
                return String(decoding: bytes.prefix(length), as: UTF8.self)
                    .split(separator: "\0").map(String.init)
            }
            let number = process < 0 ? -errno : process
            for descriptor in descriptors { close(descriptor) }
            answer(number)
        }
    }

    private static func answer(_ number: Int32) {
        var number = number
        _ = clinux_send(
            ForkProtocol.socket, &number, MemoryLayout.size(ofValue: number), nil, 0)
    }

    private static var programName: String {
        CommandLine.arguments[0].split(separator: "/").last.map(String.init) ?? ""
    }
}
