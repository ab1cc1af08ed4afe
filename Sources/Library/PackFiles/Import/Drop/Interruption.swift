import Glibc

/// Signals that end a program, put off until what it is at is finished or undone.
enum Interruption {
    /// Runs `body`, and lets signals that arrived meanwhile act afterwards.
    ///
    /// - Parameter body: gets a question to ask: whether one has arrived.
    /// - Returns: what `body` returns.
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

    /// `nohup` lets a program go on, for example.
    private static func isIgnored(_ signal: Int32) -> Bool {
        var action = sigaction()
        sigaction(signal, nil, &action)
        let handler = unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
        return handler == unsafeBitCast(SIG_IGN, to: Int.self)
    }
}
