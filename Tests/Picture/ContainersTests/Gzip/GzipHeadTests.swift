import Foundation
import StickerTestSupport
import StickerValues
import Testing

@testable import StickerContainers

struct GzipHeadTests {
    /// One drawing as zlib writes it, with codes of its own and with the fixed ones.
    private static let files = [
        """
        H4sIAAAAAAACA72POw7CMBBE+5xiEcU2ODafAoHtnMWC9UcySWSvYo5P0iNKupHezGhGD+9XhoVKTdNo8NgrHGynd0KAg3Fi
        Ao6OodBMjiskrpT94Qe7/z0nxDq4LgHWJ2M1GJnnm5Sttb6d+6kEeVJKydWB0NKTo8ErQqQUIm/S6kIP/oIuCD7lbHDvnUJp
        9dZhuw+5OJYZMwEAAA==
        """,
        """
        H4sIAAAAAAACA7Oxr8jNUShLLSrOzM+zVTfUM1C3t+OyUdTVVUhUyMsvSVUoyUgsUShKLUhNLClWyCwpTs1J08EjZ013fbq6
        QAcXl6UrAH2SV2yrnlFSUmClr19eXq5XbqyXX5Sub2RgYKAPVKGuUJ6ZUpJhq26hrpCRmpmeUQJi2tkUpSaXYJEyUVdIy8zJ
        sVVXTks0UNe3swGZYccFALk4lhkzAQAA
        """,
    ]

    private func bytes(_ text: String) throws -> [UInt8] {
        Array(try #require(Data(base64Encoded: text, options: .ignoreUnknownCharacters)))
    }

    private func content(_ file: [UInt8]) -> [UInt8]? {
        file.withUnsafeBytes { GzipHead.content(of: $0) }
    }

    @Test(arguments: files) func contentIsInflated(text: String) throws {
        let content = try #require(content(try bytes(text)))

        #expect(content.count == 307)
        #expect(String(decoding: content, as: UTF8.self).contains("itself; a note"))
        #expect(String(decoding: content.suffix(7), as: UTF8.self) == "</svg>\n")
    }

    @Test(arguments: files) func compressedDrawingIsOne(text: String) throws {
        let source = SourceBytes(try bytes(text))

        #expect(ImageFormat.sniff(source) == .picture(.svg))
        #expect(PictureOutline.read(source)?.format == .svg)
        // Its end is known once it is inflated.
        #expect(Container.completeness(of: source) == .unrecognised)
    }

    @Test func storedContentIsTakenOver() {
        let text = Array("<svg/>".utf8)

        #expect(content(TestSVG.gzip(text, checksum: 0)) == text)
        #expect(content(TestSVG.gzip(text, checksum: 0, name: "a.svg")) == text)
        #expect(content(TestSVG.gzip([], checksum: 0)) == [])
    }

    @Test func otherGzipFilesAreArchives() {
        let inner = TestSVG.gzip(Array("<svg/>".utf8), checksum: 0)

        for file in [
            TestSVG.gzip(Array("ustar".utf8), checksum: 0), TestSVG.gzip(inner, checksum: 0),
            [0x1F, 0x8B, 8],
        ] {
            #expect(ImageFormat.sniff(SourceBytes(file)) == .foreign("a gzip archive"))
        }
    }

    @Test func onlyTheBeginningIsInflated() throws {
        let long = TestSVG.gzip([UInt8](repeating: 32, count: 500_000), checksum: 0)

        #expect(try #require(content(long)).count <= 64 * 1024)
    }

    @Test(arguments: files) func damageEndsTheContent(text: String) throws {
        let file = try bytes(text)
        var random = SeededGenerator(seed: 1)

        for length in 0..<file.count { _ = content(Array(file[..<length])) }
        for _ in 0..<2000 {
            var damaged = file
            damaged[Int.random(in: 3..<file.count, using: &random)] = .random(
                in: 0...255, using: &random)
            #expect((content(damaged) ?? []).count <= 64 * 1024 + 258)
        }
    }
}
