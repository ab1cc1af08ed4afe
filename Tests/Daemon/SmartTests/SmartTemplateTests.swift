import Foundation
import Testing

@testable import StickerSmart

struct SmartTemplateTests {
    private func filled(
        _ text: String, _ values: [Placeholder: String] = [:], style: String? = nil
    ) throws -> String {
        String(
            decoding: try SmartTemplate(Array(text.utf8)).filled(values, style: style),
            as: UTF8.self)
    }

    private func fault(_ text: String) -> TemplateFault? {
        #expect(throws: TemplateFault.self) { _ = try SmartTemplate(Array(text.utf8)) }
    }

    @Test func placeholdersAreReplacedAndEscaped() throws {
        let text = try filled(
            "<svg><text a=\"{{day}}\">{{weekday}}</text>{{day}}</svg>",
            [.weekday: "a<b>&\"c", .day: "7"])

        #expect(text == "<svg><text a=\"7\">a&#60;b&#62;&#38;&#34;c</text>7</svg>")
    }

    /// Whatever encoding the file declares.
    @Test func whatIsPutInIsASCII() throws {
        #expect(
            try filled("<svg>{{month}}</svg>", [.month: "März 月"])
                == "<svg>M&#228;rz &#26376;</svg>")
    }

    @Test func whatIsUnknownIsEmpty() throws {
        #expect(try filled("<svg>{{temperature}}</svg>") == "<svg></svg>")
    }

    /// Chinese and Japanese share letters, and draw them in their own ways.
    @Test func languageOfTheTextsIsSaidUnlessTheFileSaysOne() throws {
        func texts(_ text: String, _ locale: String) throws -> [String] {
            let moment = SmartMoment(
                Date(timeIntervalSince1970: 0), at: try SmartPlace(locale: locale, timeZone: "UTC"))
            let template = try SmartTemplate(Array(text.utf8))
            return TemplateFilling(template, at: moment).drawings.map {
                String(decoding: $0.svg, as: UTF8.self)
            }
        }
        let svg = "<?xml version='1.0'?><svg width='1'><g/>{{day}}</svg>"

        #expect(
            try texts(svg, "zh_TW")
                == ["<?xml version='1.0'?><svg xml:lang=\"zh-Hant-TW\" width='1'><g/>1</svg>"])
        #expect(try texts(svg, "en_GB") == ["<?xml version='1.0'?><svg width='1'><g/>1</svg>"])
        #expect(try texts("<svg xml:lang='ja'/>", "zh") == ["<svg xml:lang='ja'/>"])
    }

    @Test func onlyOneStyleIsDrawn() throws {
        let text =
            "<svg><g/><g data-style=\"a\"><g>{{day}}</g></g>-<p data-style='b'/>"
            + "<g data-style=\"a\">2</g>{{year}}</svg>"
        let values: [Placeholder: String] = [.day: "7", .year: "2026"]

        let template = try SmartTemplate(Array(text.utf8))
        #expect(template.styles == ["a", "b"])
        #expect(
            try filled(text, values, style: "a")
                == "<svg><g/><g data-style=\"a\"><g>7</g></g>-<g data-style=\"a\">2</g>2026</svg>")
        #expect(try filled(text, values, style: "b") == "<svg><g/>-<p data-style='b'/>2026</svg>")
    }

    @Test func faultsAreNamedWithTheirLine() {
        #expect(
            fault("<svg>\n{{wekday}}")?.description.hasPrefix("line 2: there is no {{wekday}}; use")
                == true)
        #expect(fault("<svg>\n\n{{weekday}")?.line == 3)
        #expect(fault("<svg data-interval='0'/>")?.detail == "data-interval is \"0\"")
        #expect(fault("<svg><g data-style='a'><g data-style='b'/></g></svg>") != nil)
        #expect(fault(String(repeating: "{{day}}", count: 501)) != nil)
        #expect(fault("<svg><g data-style='a b'/></svg>")?.detail == "a style is called \"a b\"")
        let many = String(repeating: "<g data-style='a'/>", count: 501)
        #expect(fault("<svg>\(many)</svg>")?.detail.hasPrefix("it has 501 elements") == true)
        #expect(
            fault(String(repeating: " ", count: 1_048_577))?.detail.hasPrefix("it has 1,048,577 B")
                == true)
        let styles = (0..<9).map { "<g data-style='\($0)'/>" }.joined()
        #expect(fault("<svg>\(styles)</svg>")?.detail == "it has 9 styles, limit 8")
    }

    @Test func itSaysHowOftenItChanges() throws {
        let template = try SmartTemplate(
            Array("<svg data-interval=\"15\">{{hour.angle}}{{condition}}</svg>".utf8))

        #expect(template.intervalMinutes == 15 && template.needsWeather)
        #expect(template.placeholders == [.hourAngle, .condition])
        #expect(try SmartTemplate([]).intervalMinutes == 5)
    }
}
