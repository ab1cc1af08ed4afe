import CCrypto
import Foundation
import StickerKit
import Testing

/// The hash by which a cache knows a file.
struct SHA256Tests {
    @Test func examplesOfTheStandard() {
        #expect(
            SHA256.hexadecimal(Data("abc".utf8))
                == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
        #expect(
            SHA256.hexadecimal(
                Data("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq".utf8))
                == "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1")
    }

    /// A block has 64 bytes, and the length needs nine of them at the end.
    @Test func everyLengthIsAsByOpenSSL() {
        for count in Array(0...200) + [100_000] {
            let data = Data((0..<count).map { UInt8(truncatingIfNeeded: $0 &* 37) })

            let hash = SHA256.hexadecimal(data)

            #expect(hash == Self.opensslHash(data), "\(count) bytes")
        }
    }

    /// A slice does not begin at 0.
    @Test func partOfOtherDataIsHashedByItself() {
        let part = Data("xyzabc".utf8).dropFirst(3)

        #expect(SHA256.hexadecimal(part) == SHA256.hexadecimal(Data("abc".utf8)))
    }

    private static func opensslHash(_ data: Data) -> String {
        var digest = [UInt8](repeating: 0, count: 32)
        var length: UInt32 = 32
        let bytes = Array(data)
        EVP_Digest(bytes, bytes.count, &digest, &length, EVP_sha256(), nil)
        return digest.map { byte in
            let digits = String(byte, radix: 16)
            return digits.count < 2 ? "0" + digits : digits
        }.joined()
    }
}
