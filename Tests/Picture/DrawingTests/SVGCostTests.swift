import Foundation
import StickerCodecs
import StickerContainers
import StickerSmart
import StickerTestSupport
import StickerValues
import Testing

@testable import StickerDrawing

/// The cost of a drawing, before it is drawn.
struct SVGCostTests {
    private func cost(_ bytes: [UInt8]) throws -> SVGCost {
        let shared = SVGShared(limits: DecodeLimits())
        let text = try SVGText.of(SourceBytes(bytes), shared.limits)
        _ = try SVGSource(text, shared: shared)
        return shared.cost
    }

    private func cost(_ content: String) throws -> SVGCost {
        try cost(
            Array(
                "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 512 512'>\(content)</svg>"
                    .utf8))
    }

    // MARK: Too much

    /// Those that other limits keep small: how deep elements are, texts that are fitted, bytes.
    private static let bounded: Set = ["opacity-within"]

    @Test(arguments: CostlySVG.all.filter { !bounded.contains($0.name) })
    func everyKindOfWorkHasALimit(kind: CostlySVG.Kind) throws {
        var (amount, refusal): (Int, CodecError?) = (1, nil)
        while refusal == nil, amount <= 1 << 22 {
            amount *= 4
            do { _ = try cost(kind.drawing(amount)) } catch let error as CodecError {
                refusal = error
            }
        }

        #expect(refusal?.code == .tooComplex)
        #expect(refusal?.measured != nil && refusal?.limit != nil)
    }

    @Test func kindsOfWorkAreMany() { #expect(CostlySVG.all.count >= 60) }

    /// The largest amount that passes is not far from what is refused: no kind is judged by another.
    @Test func refusalNamesTheWorkItsAmountAndItsLimit() {
        let error = #expect(throws: CodecError.self) {
            try cost(
                "<filter id='f'>\(String(repeating: "<feDisplacementMap/>", count: 9))</filter>"
                    + "<rect width='512' height='512' filter='url(#f)'/>")
        }

        #expect(error?.detail == "drawing it is too much work")
        #expect(error?.measured?.hasSuffix(" or more pixels of filters") == true)
        #expect(error?.limit == "7,000,000,000")
    }

    @Test func worksOfManyKindsAddUp() {
        let layers = String(repeating: "<g opacity='.5'><circle r='9'/></g>", count: 400)
        let stops = String(repeating: "<stop/>", count: 900)
        let gradient = "<linearGradient id='g'>\(stops)</linearGradient>"
        let shapes = String(
            repeating: "<rect width='1' height='1' fill='url(#g)'/>", count: 1500)

        #expect(throws: Never.self) { try cost(layers) }
        #expect(throws: Never.self) { try cost(gradient + shapes) }
        let error = #expect(throws: CodecError.self) { try cost(layers + gradient + shapes) }
        #expect(error?.detail == "drawing it is too much work in all")
        #expect(error?.limit == "100 %")
    }

    // MARK: What is fine

    @Test(arguments: [
        "<circle r='99'/>", "<g id='a'><use href='#a'/></g>",
        "<marker id='a'><path d='M0 0L9 9' marker-end='url(#a)'/></marker>"
            + "<path d='M0 0L9 9' stroke='#000' marker-end='url(#a)'/>",
        "<pattern id='a' width='.5' height='.5'><rect width='9' height='9' fill='url(#a)'/></pattern>"
            + "<rect width='512' height='512' fill='url(#a)'/>",
        "<mask id='a'><rect width='512' height='512' mask='url(#a)'/></mask>"
            + "<rect width='512' height='512' mask='url(#a)'/>",
        "<filter id='f'><feDropShadow stdDeviation='4'/></filter>"
            + "<g filter='url(#f)'><circle r='99'/></g>",
        "<path d='M0 0L1e30 1e30' stroke='#000'/>", "<rect width='-1' height='nonsense'/>",
    ]) func littleIsLittle(content: String) throws {
        #expect(try cost(content).share < 0.1)
    }

    /// The tool for the border of a sticker.
    @Test func oneDilationOfTheWholePicturePasses() throws {
        let share = try cost(
            "<filter id='f'><feMorphology operator='dilate' radius='9'/></filter>"
                + "<rect width='512' height='512' filter='url(#f)'/>"
        ).share

        #expect(0.5...1 ~= share)
    }

    @Test func shippedTemplatesCostLittle() throws {
        for art in try ArtTemplate.all() {
            let moment = SmartMoment(
                Date(timeIntervalSince1970: 0), at: try SmartPlace(locale: "en", timeZone: "UTC"))
            for (_, svg) in TemplateFilling(art.template, at: moment).drawings {
                #expect(try cost(svg).share < 0.3, "\(art.name)")
            }
        }
    }

    private static let icons = "/usr/share/icons"

    @Test(.enabled(if: FileManager.default.fileExists(atPath: icons)))
    func noIconOfTheSystemIsTooMuch() throws {
        let names = FileManager.default.enumerator(atPath: Self.icons)?.compactMap { $0 as? String }
        for name in names ?? [] where name.hasSuffix(".svg") {
            let file = try Data(contentsOf: URL(filePath: "\(Self.icons)/\(name)"))
            #expect(throws: Never.self, "\(name)") { try cost(Array(file)) }
        }
    }
}
