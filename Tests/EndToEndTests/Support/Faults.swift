import Foundation
import Glibc

/// Calls of a program that are counted and broken; see `Fixtures/faults.c`.
struct Faults: Sendable {
    /// The fate of the call with a number.
    enum Fault: Hashable, Sendable, CustomStringConvertible {
        /// The process dies.
        case kill(at: Int)
        /// It fails, and so do those after it up to `count`.
        case fail(at: Int, Int32, count: Int = 1)

        /// The first call that breaks.
        var number: Int {
            switch self {
            case .kill(let number), .fail(let number, _, _): number
            }
        }

        var description: String {
            switch self {
            case .kill(let number): "killed at call \(number)"
            case .fail(let number, let error, let count):
                "call \(number) and \(count - 1) more: \(String(cString: strerror(error)))"
            }
        }
    }

    /// One call that changes something, or reads where that was asked for.
    struct Call: Hashable, Sendable {
        var name: String
        var bytes: Int
        var path: String
    }

    /// Calls on paths below this folder count.
    var root: String
    /// The file that lists the calls.
    var trace: String
    /// Whether opening and reading counts too.
    var isReading = false

    /// The environment that makes a program count its calls, and break one of them.
    func environment(_ fault: Fault? = nil) throws -> [String: String] {
        let others = ProcessInfo.processInfo.environment["LD_PRELOAD"].map { ":\($0)" } ?? ""
        var environment = [
            "LD_PRELOAD": try Self.library.get() + others,
            "FAULT_ROOT": root, "FAULT_TRACE": trace,
            // In a build with the address sanitizer our library comes first all the same.
            "ASAN_OPTIONS": "verify_asan_link_order=0:detect_leaks=0",
        ]
        if isReading { environment["FAULT_READING"] = "1" }
        switch fault {
        case .kill(let number)?: environment["FAULT_KILL_AT"] = "\(number)"
        case .fail(let number, let error, let count)?:
            environment["FAULT_FAIL_AT"] = "\(number),\(error),\(count)"
        case nil: break
        }
        return environment
    }

    /// The environment that makes a program crash once it has read bytes that contain a text.
    static func environment(poison: String) throws -> [String: String] {
        var environment = try Faults(root: "/nowhere", trace: "/dev/null").environment()
        environment["FAULT_POISON"] = poison
        return environment
    }

    /// The calls so far, in order.
    func calls() throws -> [Call] {
        guard FileManager.default.fileExists(atPath: trace) else { return [] }
        return try String(contentsOfFile: trace, encoding: .utf8).split(separator: "\n").map {
            line in
            let parts = line.split(separator: " ", maxSplits: 3)
            guard parts.count == 4, let bytes = Int(parts[2]) else {
                throw CallFailed(description: "no call: \(line)")
            }
            return Call(name: String(parts[1]), bytes: bytes, path: String(parts[3]))
        }
    }

    /// The library to preload, compiled once in a run of the tests.
    private static let library = Result { try compiled() }

    private static func compiled() throws -> String {
        let target = try Program.folder().appending(path: "libfaults-\(getpid()).so").path
        let source = URL(filePath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "Fixtures/faults.c").path
        let compiler = Process()
        compiler.executableURL = URL(filePath: "/usr/bin/env")
        compiler.arguments = ["clang", "-shared", "-fPIC", "-O1", "-Wall", "-o", target, source]
        try compiler.run()
        compiler.waitUntilExit()
        guard compiler.terminationStatus == 0 else {
            throw CallFailed(description: "clang could not compile \(source)")
        }
        let fixed = (target as NSString).deletingLastPathComponent + "/libfaults.so"
        try check(rename(target, fixed), "rename \(target)")
        return fixed
    }
}
