import CCrypto
public import StickerValues

/// SHA-256 (FIPS 180-4) of bytes that arrive in parts, by OpenSSL's `EVP_sha256`.
package struct SHA256: ~Copyable {
    private let context: OpaquePointer

    /// Starts a hash.
    package init() {
        guard let context = EVP_MD_CTX_new(), EVP_DigestInit_ex(context, EVP_sha256(), nil) == 1
        else { preconditionFailure("no memory for a SHA-256") }
        self.context = context
    }

    deinit { EVP_MD_CTX_free(context) }

    /// Adds the next part.
    package mutating func update(_ bytes: UnsafeRawBufferPointer) {
        guard EVP_DigestUpdate(context, bytes.baseAddress, bytes.count) == 1 else {
            preconditionFailure("SHA-256 failed")
        }
    }

    /// The hash of all parts.
    package consuming func finish() -> ContentHash {
        var digest = [UInt8](repeating: 0, count: 32)
        guard EVP_DigestFinal_ex(context, &digest, nil) == 1 else {
            preconditionFailure("SHA-256 failed")
        }
        return ContentHash(rawValue: Self.hexadecimal(digest))
    }

    private static func hexadecimal(_ bytes: [UInt8]) -> String {
        let digits = Array("0123456789abcdef".utf8)
        let text = bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
        return String(decoding: text, as: UTF8.self)
    }
}

extension ContentHash {
    /// The SHA-256 of `bytes`.
    public init(of bytes: [UInt8]) {
        self = bytes.withUnsafeBytes { ContentHash(of: $0) }
    }

    /// The SHA-256 of `bytes`.
    public init(of bytes: UnsafeRawBufferPointer) {
        var hash = SHA256()
        hash.update(bytes)
        self = hash.finish()
    }
}
