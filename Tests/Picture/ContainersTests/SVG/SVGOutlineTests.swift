import StickerTestSupport
import StickerValues
import Testing

@testable import StickerContainers

struct SVGOutlineTests {
    private func outline(_ text: String) -> SVGOutline {
        Array(text.utf8).withUnsafeBytes { SVGOutline($0) }
    }

    @Test func elementsAreCounted() {
        let found = outline(
            """
            <?xml version="1.0"?><!-- <a><b> --><svg a=">" b='/>'><g><!-- </svg> --><path/>
            <![CDATA[<c><d>]]><filter><feBlend/><s:feFlood></s:feFlood></filter></g ></svg> <!-- x -->
            """)

        #expect(found.elements == 6 && found.depth == 4 && found.filterPrimitives == 2)
        #expect(found.isWhole)
    }

    @Test(arguments: [
        "<svg/>", "<svg />\n", "<svg></svg><!-- Made by hand --><?end?>\n",
        "<!DOCTYPE svg [<!ENTITY x \"]>\"><!-- ]> -->]><svg>&x;</svg>",
    ]) func wholeFilesAreWhole(text: String) {
        #expect(Container.completeness(of: SourceBytes(Array(text.utf8))) == .whole)
    }

    @Test func noPrefixIsWhole() {
        let file = Array("<!-- a --><svg a='<svg/>'><!-- </svg> --><g/></svg>".utf8)
        for length in 0..<file.count {
            #expect(Container.completeness(of: SourceBytes(Array(file[..<length]))) != .whole)
        }
    }

    @Test(arguments: [
        "<svg>", "<svg", "<svg a=\"", "<svg><g></g>", "<svg/><svg/>", "<svg></svg>x", "<svg><!-- ",
        "<svg><![CDATA[", "<svg><?", "<svg><!x", "<svg><g <b></svg>", "<svg></",
        "<svg></svg></svg>",
        "<svg></svg><!--",
    ]) func othersAreNot(text: String) {
        #expect(Container.completeness(of: SourceBytes(Array(text.utf8))) == .unfinished)
    }

    @Test(arguments: [true, false], [true, false])
    func drawingsInUTF16AreWalkedToo(isLittle: Bool, hasMark: Bool) {
        let text = "<?xml version='1.0' encoding='UTF-16'?><!-- Grüße 😀 --><svg><g/></svg>\n"
        let file = TestSVG.utf16(text, isLittle: isLittle, hasMark: hasMark)

        #expect(ImageFormat.sniff(SourceBytes(file)) == .picture(.svg))
        #expect(file.withUnsafeBytes { SVGOutline($0).elements } == 2)
        #expect(Container.completeness(of: SourceBytes(file)) == .whole)
        for length in stride(from: 8, to: file.count - 2, by: 1) {
            #expect(Container.completeness(of: SourceBytes(Array(file[..<length]))) != .whole)
        }
    }

    @Test func textInUTF16IsTakenOver() {
        for isLittle in [true, false] {
            let file = TestSVG.utf16("<a>é😀</a>", isLittle: isLittle, hasMark: true)
            let text = file.withUnsafeBytes { UTF16Text.utf8($0) }
            #expect(text == Array("<a>é😀</a>".utf8))
        }
        for other in ["<svg/>", "\u{FEFF}<svg/>", "", "<"] {
            #expect(Array(other.utf8).withUnsafeBytes { UTF16Text.utf8($0) } == nil)
        }
    }

    @Test func attributesAreTaken() throws {
        let bytes = Array("<a b='1' xlink:href = \"x'y\"\n c=''/>".utf8)
        try bytes.withUnsafeBytes { bytes in
            let tag = try #require(XMLTags(bytes).first { _ in true })
            let found = XMLAttributes(bytes, of: tag).map {
                "\(String(decoding: bytes[$0.name], as: UTF8.self))="
                    + String(decoding: bytes[$0.value], as: UTF8.self)
            }
            #expect(tag.kind == .empty && found == ["b=1", "href=x'y", "c="])
        }
    }

    /// Whatever the bytes are, the walk ends and stays within them.
    @Test func everyDamageEnds() {
        let file = Array("<!DOCTYPE svg[<!--x-->]><svg a='b'><![CDATA[c]]><g/></svg>".utf8)
        var generator = SeededGenerator(seed: 7)
        for _ in 0..<20_000 {
            var damaged = file
            for _ in 0..<3 {
                let place = Int.random(in: 0..<damaged.count, using: &generator)
                damaged[place] = Array("<>![]-'\"/&? \0".utf8).randomElement(using: &generator) ?? 0
            }
            damaged.withUnsafeBytes { bytes in
                let found = SVGOutline(bytes)
                #expect(found.elements <= 10 && found.depth <= 10)
                for tag in XMLTags(bytes) { _ = Array(XMLAttributes(bytes, of: tag)) }
            }
        }
    }
}
