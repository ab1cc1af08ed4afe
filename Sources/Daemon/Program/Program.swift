public import ArgumentParser
import Glibc

/// A program with its arguments. Wrong usage ends with exit code 2, as manual pages say; the parser's own code differs.
public protocol Program: ParsableCommand {
    /// A better complaint about these arguments than the parser's; by default `nil`.
    static func complaint(about arguments: [String]) -> String?
}

extension Program {
    /// None: the parser's own is shown.
    public static func complaint(about arguments: [String]) -> String? { nil }

    /// Runs the command that the arguments name.
    public static func main() { start() }

    /// The same, for programs with a `main` of their own.
    public static func start() {
        do {
            var command = try parseAsRoot()
            try command.run()
        } catch {
            end(error)
        }
    }

    fileprivate static func end(_ error: any Error) -> Never {
        guard exitCode(for: error) == .validationFailure else { exit(withError: error) }
        let arguments = Array(CommandLine.arguments.dropFirst())
        let message = Array("\(complaint(about: arguments) ?? fullMessage(for: error))\n".utf8)
        _ = write(2, message, message.count)
        Glibc.exit(2)
    }
}

/// A program whose command is asynchronous.
public protocol AsyncProgram: Program, AsyncParsableCommand {}

extension AsyncProgram {
    /// Runs the command that the arguments name.
    public static func main() async {
        do {
            var command = try parseAsRoot()
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
        } catch {
            end(error)
        }
    }
}
