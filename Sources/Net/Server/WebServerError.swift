import Glibc
import NIOCore
import StickerConfiguration
import StickerValues

/// Why the server does not start.
package struct WebServerError: Error, CustomStringConvertible {
    /// One sentence with a remedy.
    package let description: String
}

extension WebServerError {
    /// Why the system does not let the server listen.
    init(_ error: IOError, _ address: WebAddress, _ setting: String) {
        let trouble =
            switch error.errnoCode {
            case EADDRINUSE: "is in use; stop the other program, or set \(setting)"
            case EADDRNOTAVAIL:
                "is not an address of this machine; set \(setting) to one that \"ip address\" lists"
            case EACCES:
                "is for root only; set \(setting) to a port from 1024 on, "
                    + "with a web server before it if that must be \(address.port)"
            default: "cannot be used: \(String(cString: strerror(error.errnoCode)))"
            }
        description = "\(address) \(trouble)"
    }

    /// The name cannot be resolved.
    init(
        _ error: SocketAddressError.UnknownHost, _ address: WebAddress, _ setting: String
    ) {
        description = "\(address): the name cannot be resolved; set \(setting) to an address"
    }
}
