import Testing

@testable import StickerValues

/// The look in `category.json`: what is read, and what stays after a fault.
struct LookTests {
    private static let rules = LookRules(
        marks: ["logo.png": 1_500_000, "bar.png": 900_000], targets: ["whatsapp"])

    private static let whole = #"""
        {"title": "Cats", "look": {"outline": {"pixels": 8, "color": "#00FF00"},
         "tint": {"mode": "solid", "color": "#112233"}, "marginPixels": 4, "trim": true,
         "watermarks": [{"id": "l", "image": "logo.png", "width": 0.2, "on": ["whatsapp"]},
            {"id": "t", "text": {"text": "hi"}},
            {"id": "c", "color": "#FF0000", "width": 1, "height": 0.1}]}}
        """#

    private func read(
        _ text: String, by rules: LookRules? = rules
    ) throws -> (words: SideFileWords, faults: SideFileError?) {
        try SideFile.category.reading(of: Array(text.utf8), by: rules)
    }

    @Test func everyMemberIsRead() throws {
        let (words, faults) = try read(Self.whole)

        let look = try #require(words.category.look)
        #expect(faults == nil)
        #expect(look.outlinePixels == 8 && look.outlineColor == "#00FF00")
        #expect(look.tintMode == .solid && look.tintColor == "#112233")
        #expect(look.marginPixels == 4 && look.trim == true)
        #expect(look.watermarks?.map(\.id) == ["l", "t", "c"])
        #expect(look.markNames == ["logo.png"])
    }

    @Test func fileWithoutLookHasNone() throws {
        for text in [#"{"title": "Cats"}"#, #"{"look": {}}"#] {
            #expect(try read(text).words.category.look == nil)
        }
    }

    @Test(arguments: [
        (
            #"{"outline": {"pixels": 65}}"#,
            "look.outline.pixels: is 65, allowed is a whole number from 0 to 64"
        ),
        (#"{"trim": "yes"}"#, #"look.trim: is "yes", allowed is true or false"#),
        (
            #"{"margin": 3}"#, #"look.margin: unknown key; did you mean "marginPixels"?"#
        ),
        (
            #"{"watermarks": [{"id": "l", "image": "Logo.png"}]}"#,
            "look.watermarks[0].image: the folder of marks has no Logo.png; "
                + "it has bar.png, logo.png"
        ),
        (
            #"{"watermarks": [{"id": "l", "image": "../secret.png"}]}"#,
            #"look.watermarks[0].image: is "../secret.png", "#
                + "allowed is the name of a file, without a folder"
        ),
        (
            #"{"watermarks": [{"id": "l", "raw": {"file": "a", "width": 1, "height": 1}}]}"#,
            "look.watermarks[0].image: give one of image, color and text, not 0"
        ),
        (
            #"{"watermarks": [{"id": "a", "image": "logo.png"}, {"id": "b", "image": "bar.png"}]}"#,
            "look.watermarks: its pictures have 2,400,000 B together, limit 2,000,000 B"
        ),
    ])
    func faultNamesWhatIsAllowed(look: String, fault: String) throws {
        let faults = try #require(try read(#"{"look": \#(look)}"#).faults)

        #expect(faults.faults.contains { "\($0.fault)" == fault }, "\(faults.faults)")
    }

    @Test func withoutFolderNoPictureIsAMark() throws {
        let faults = try read(
            Self.whole, by: LookRules(marks: nil, targets: ["whatsapp"])
        ).faults

        #expect(faults?.faults.first?.fault.message.contains("has no folder of marks") == true)
    }

    @Test func withoutRulesAnyNameIsRead() throws {
        #expect(try read(Self.whole, by: nil).faults == nil)
    }

    @Test(arguments: [
        ##"{"look": {"outline": {"pixels": "x", "color": "#FFFFFF"}}}"##,
        ##"{"look": {"outline": {"color": "#FFFFFF"}, "watermarks": [{"id": "l"}]}}"##,
        ##"{"look": {"outline": {"color": "#FFFFFF"}, "watermarks": 5}}"##,
        ##"{"look": {"outline": {"color": "#FFFFFF"}, "tinted": {}}}"##,
        ##"{"look": []}"##, ##"{"looks": {"outline": {"color": "#FFFFFF"}}}"##,
    ])
    func gapIsFilledFromTheFormerLook(text: String) throws {
        let former = try read(Self.whole).words
        let (words, faults) = try read(text)

        let look = words.filled(try #require(faults).gaps, from: former).category.look

        let own = words.category.look?.outlineColor
        #expect(look?.outlineColor == own ?? "#00FF00")
        if text.contains("pixels") {
            #expect(look?.outlinePixels == 8 && look?.watermarks == nil)
        } else if text.contains("watermarks") {
            #expect(look?.watermarks == former.category.look?.watermarks)
            #expect(look?.outlinePixels == nil && look?.trim == nil)
        } else {
            #expect(look?.trim == true && look?.watermarks?.count == 3)
        }
    }

    @Test func marksThatCannotBeDrawnLeaveTheFormerOnes() throws {
        var (words, faults) = try read(Self.whole)
        let found = [JSONFault(path: "look.watermarks.t.text", message: "too large")]
        words.dropMarks(found, &faults)

        let error = try #require(faults)
        let filled = words.filled(error.gaps, from: try read(Self.whole).words)

        #expect(words.category.look?.watermarks == nil)
        #expect(error.refusal.detail.contains("too large") && !error.saysNothing)
        #expect(filled.category.look?.watermarks?.count == 3)
    }
}
