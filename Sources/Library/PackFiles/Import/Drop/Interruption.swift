import Glibc

/// Defers signals that end a program until its present work is finished or undone.
enum Interruption {
    /// Runs `body`; signals that arrive meanwhile act afterwards.
    ///
    /// - Parameter body: gets a function that returns whether a signal has arrived.
    /// - Returns: the result of `body`.
    static func putOff<Result>(_ body: (_ hasArrived: () -> Bool) throws -> Result) rethrows
        -> Result
    {
        let ending = [SIGINT, SIGTERM, SIGHUP].filter { !isIgnored($0) }
        var (signals, former) = (sigset_t(), sigset_t())
        sigemptyset(&signals)
        for signal in ending { sigaddset(&signals, signal) }
        pthread_sigmask(SIG_BLOCK, &signals, &former)
        defer { pthread_sigmask(SIG_SETMASK, &former, nil) }
        return try body {
            var pending = sigset_t()
            sigpending(&pending)
            return ending.contains { sigismember(&pending, $0) == 1 }
        }
    }

    /// For example after `nohup`.
    private static func isIgnored(_ signal: Int32) -> Bool {
        var action = sigaction()
        sigaction(signal, nil, &action)
        let handler = unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
        return handler == unsafeBitCast(SIG_IGN, to: Int.self)
    }
}
