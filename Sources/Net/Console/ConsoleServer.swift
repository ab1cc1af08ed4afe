import FoundationEssentials
public import Logging
public import StickerConfiguration
package import StickerHTTP
import StickerStore
import StickerValues

/// `stickerd-console`: the operator's view and controls, in a browser.
public struct ConsoleServer: Sendable {
    private let file: ConfigurationFile
    private let load: @Sendable () throws -> Configuration
    private let logger: Logger

    /// Creates a console.
    ///
    /// - Parameters:
    ///   - file: the configuration, with absolute paths.
    ///   - load: reads it again, for the page that previews changes.
    ///   - logger: logs each action.
    public init(
        _ file: ConfigurationFile, load: @escaping @Sendable () throws -> Configuration,
        logger: Logger
    ) {
        (self.file, self.load, self.logger) = (file, load, logger)
    }

    /// Serves until a signal ends it; while there is no library, pages say so. The process takes the identity of the
    /// owner of the state folder.
    ///
    /// - Parameter serve: serves at the address.
    /// - Throws: `ConfigurationError` if the console is open to others without a token, `StoreError` if the library
    ///   cannot be used, and an error with a sentence if the address cannot be.
    package func run(_ serve: (HTTPService) async throws -> Void) async throws {
        let configuration = file.configuration
        let settings = configuration.console
        let credentials = ProcessInfo.processInfo.environment["CREDENTIALS_DIRECTORY"]
        let token = try settings.checkedToken(credentials: credentials)
        let path = "\(configuration.state)/\(LibraryStore.fileName)"
        let library = ConsoleLibrary(at: path) {
            try StateFolder.becomeOwner(of: configuration.state)
            return try LibraryStore(
                path: path, access: .tool, policy: StorePolicy(configuration))
        }
        if library.isMissing {
            logger.notice(
                "there is no library yet, as pages say until stickerd has made it",
                metadata: ["detail": "\(path)"])
        } else {
            try await Self.open(library)
        }
        DroppedPicture.sweep(configuration.console.drops)
        RemovedFiles(
            drops: configuration.console.drops, days: configuration.publish.trashDays
        ).sweep()
        var random = SystemRandomNumberGenerator()
        let secret = (0..<4).map { _ in String(random.next(), radix: 16) }.joined()
        let visitor = Visitor(settings, token: token, secret: secret)
        let site = ConsoleSite(
            library, configuration, visitor: visitor, load: load, logger: logger)
        var service = HTTPService(
            at: settings.listen, setting: "console.listen",
            proxies: settings.trustedProxies, proxySetting: "console.trustedProxies",
            isServing: { [logger] in
                // A wildcard address cannot be opened in a browser.
                var place: Logger.Metadata = ["address": "\(settings.listen)"]
                if !settings.listen.isWildcard { place["url"] = "http://\(settings.listen)/" }
                logger.notice("stickerd-console serves", metadata: place)
            },
            reply: { request in
                try await HTTPService.blocking(for: request) { site.reply(to: request) }
            })
        // The words of a page of stickers.
        service.bodyBytesMax = 512 << 10
        service.uploadBytesMax = configuration.limits.sourceBytesMax
        service.hasReceiver = { ConsoleSite.isPicture($0) }
        service.delay = { site.delay(of: $0) }
        try await serve(service)
    }
    /// Opens the library; one that a daemon is making at this moment looks like an older one.
    private static func open(_ library: ConsoleLibrary) async throws {
        for _ in 0..<20 {
            if (try? library.store) != nil { return }
            try await Task.sleep(for: .milliseconds(250))
        }
        _ = try library.store
    }
}
