import Foundation

/// The environment of programs that tests start.
public enum ProgramEnvironment {
    /// That of the tests. A program that ends with `exit` has everything still in use, which the sanitizer
    /// would call leaks: it looks for those in the tests alone.
    public static var inherited: [String: String] {
        var environment = ProcessInfo.processInfo.environment
        environment["ASAN_OPTIONS"] = environment["ASAN_OPTIONS"].map { $0 + ":detect_leaks=0" }
        return environment
    }
}
