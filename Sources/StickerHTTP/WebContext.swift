import Hummingbird
import HummingbirdCore
import NIOCore

/// What is known of a request besides its text.
struct WebContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    /// The address that the client has, without the port.
    let client: String

    init(source: ApplicationRequestContextSource) {
        coreContext = CoreRequestContextStorage(source: source)
        client = source.channel.remoteAddress?.ipAddress ?? ""
    }
}
