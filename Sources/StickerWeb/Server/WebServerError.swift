import Glibc
import NIOCore
import StickerModel

/// Why the server does not start.
public struct WebServerError: Error, CustomStringConvertible {
    /// One sentence with its remedy.
    public let description: String
}

extension WebServerError {
    /// Describes why the system does not let the server listen.
    init(_ error: IOError, _ address: WebAddress) {
        let trouble =
            switch error.errnoCode {
            case EADDRINUSE: "is in use; stop the other program, or set web.listen"
            case EADDRNOTAVAIL:
                "is no address of this machine; set web.listen to one that \"ip address\" lists"
            case EACCES:
                "is for root alone; set web.listen to a port from 1024 on, "
                    + "with a web server before it if that must be \(address.port)"
            default: "cannot be used: \(String(cString: strerror(error.errnoCode)))"
            }
        description = "\(address) \(trouble)"
    }

    /// Describes that nobody knows the name.
    init(_ error: SocketAddressError.UnknownHost, _ address: WebAddress) {
        description = "\(address): nobody knows the name; set web.listen to an address"
    }
}
