import Foundation
import StickerTestSupport
import Testing

@testable import StickerWeb

/// Published files over HTTP: types, tags, parts, and nothing that is not published.
struct TreeFileTests {
    private static let name = "_/ab/" + String(repeating: "ab", count: 32) + ".webp"
    private let shelf: Shelf
    private let bytes = (0..<100).map(UInt8.init)

    init() throws {
        shelf = try Shelf()
        try shelf.write(bytes, at: Self.name)
        try shelf.publish(["cats": [Shelf.Art("wave")]])
    }

    @Test func pictureStaysForEverAndAManifestDoesNot() {
        let picture = shelf.get("/\(Self.name)")
        #expect(picture.status == 200 && picture.bytes == bytes)
        #expect(picture.headers["Content-Type"] == "image/webp")
        #expect(picture.headers["Cache-Control"] == "public, max-age=31536000, immutable")
        let manifest = shelf.get("/cats/manifest.json")
        #expect(manifest.headers["Content-Type"] == "application/json; charset=utf-8")
        #expect(manifest.headers["Cache-Control"] == "no-cache")
    }

    @Test(arguments: [
        ("bytes=0-9", 0..<10), ("bytes=90-", 90..<100), ("bytes=-10", 90..<100),
        ("bytes=95-200", 95..<100), ("bytes=-200", 0..<100), ("bytes=99-99", 99..<100),
    ])
    func partIsSent(header: String, range: Range<Int>) {
        let reply = shelf.get("/\(Self.name)", ["range": header])
        #expect(reply.status == 206 && reply.bytes == Array(bytes[range]))
        #expect(
            reply.headers["Content-Range"]
                == "bytes \(range.lowerBound)-\(range.upperBound - 1)/100")
    }

    @Test func headHasTheLengthOfAllAndNoPart() {
        let reply = shelf.get("/\(Self.name)", method: "HEAD", ["range": "bytes=0-9"])
        #expect(reply.status == 200 && reply.headers["Content-Range"] == nil)
    }

    @Test func whatIsAwayIsNotSaidToBeNothing() throws {
        try FileManager.default.moveItem(
            atPath: shelf.folder.path("out"), toPath: shelf.folder.path("elsewhere"))
        let away = shelf.get("/\(Self.name)")
        try FileManager.default.moveItem(
            atPath: shelf.folder.path("elsewhere"), toPath: shelf.folder.path("out"))

        #expect(away.status == 503 && away.headers["Retry-After"] != nil)
        #expect(shelf.get("/\(Self.name)").status == 200)
        #expect(shelf.get("/none.png").status == 404)
    }

    @Test(arguments: [
        "bytes=9-1", "bytes=0-1,5-6", "bytes=a-b", "bytes=-", "items=0-1", "bytes=--5",
        "bytes=99999999999999999999-",
    ])
    func whatIsNoRangeIsPassedOver(header: String) {
        #expect(shelf.get("/\(Self.name)", ["range": header]).status == 200)
    }

    @Test func partBehindTheEndIsRefusedWithTheLength() {
        for header in ["bytes=100-", "bytes=500-600", "bytes=-0"] {
            let reply = shelf.get("/\(Self.name)", ["range": header])
            #expect(reply.status == 416 && reply.headers["Content-Range"] == "bytes */100")
        }
    }

    @Test func knownFileIsNotSentAgain() throws {
        for path in ["/\(Self.name)", "/cats/manifest.json"] {
            let tag = try #require(shelf.get(path).headers["ETag"])
            for header in [tag, "*", "W/\(tag)", "\"other\", \(tag)"] {
                let reply = shelf.get(path, ["if-none-match": header])
                #expect(reply.status == 304 && reply.bytes.isEmpty)
            }
            #expect(shelf.get(path, ["if-none-match": "\"other\""]).status == 200)
            let part = ["range": "bytes=0-1", "if-range": "\"other\""]
            #expect(shelf.get(path, part).status == 200)
            #expect(shelf.get(path, ["range": "bytes=0-1", "if-range": tag]).status == 206)
        }
        let before = shelf.get("/cats/manifest.json").headers["ETag"]
        try shelf.publish(["cats": [Shelf.Art("wave"), Shelf.Art("nap")]])
        #expect(shelf.get("/cats/manifest.json").headers["ETag"] != before)
    }

    @Test func nothingElseIsFound() throws {
        try shelf.write([1], at: ".hidden.json")
        try shelf.write([1], at: "cats/.new.json")
        try shelf.write([1], at: "cats/notes")
        let outside = shelf.folder.path("secret.json")
        try Data([1]).write(to: URL(filePath: outside))
        try FileManager.default.createSymbolicLink(
            atPath: shelf.folder.path("out/link.json"), withDestinationPath: outside)
        try FileManager.default.createSymbolicLink(
            atPath: shelf.folder.path("out/far"), withDestinationPath: shelf.folder.path)
        for path in [
            "/.hidden.json", "/cats/.new.json", "/cats/notes", "/link.json", "/far/secret.json",
            "/../secret.json", "/%2e%2e/secret.json", "/cats/../../secret.json", "/cats/", "/cats",
            "//cats/manifest.json", "/_/", "/cats%2fmanifest.json/x.json",
            "/" + String(repeating: "a", count: 5000) + ".json",
        ] {
            #expect(shelf.get(path).status == 404, "\(path)")
        }
    }
}
