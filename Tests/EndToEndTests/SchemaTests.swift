import Foundation
import StickerTestSupport
import StickerValues
import Testing

extension EndToEnd {
    /// Published files have the promised shape, as an independent validator confirms.
    struct SchemaTests {
        @Test(.needsSchemaValidator, arguments: ["", "https://stickers.example/pub/"])
        func everyPageOfARunHasTheShapeOfTheSchema(base: String) async throws {
            let workshop = try Workshop(
                .init(publish: ["pageEntriesMax": 10, "publicBaseURL": .text(base)]))
            for number in 1...12 { try workshop.put(try Art.png(number), "cats/\(number) 😀.png") }
            try workshop.put(try Art.png(20), "dogs/cover.png")
            try workshop.put(try Art.png(21), "dogs/a \"quoted\" \\ name.png")
            try workshop.put(try Art.noise(side: 60), "dogs/noise.png")
            let unreadable = Array("drop/dogs/".utf8) + [0xFF, 0xFE] + Array(".png".utf8)
            try workshop.folder.write(try Art.png(22), toName: unreadable)

            #expect(try await workshop.drain().exitCode == 0)

            let names = try FileManager.default.contentsOfDirectory(atPath: "\(workshop.out)/cats")
            // The page of an earlier look stays for a day.
            #expect(names.count >= 2)
            let manifests = names.map { "\(workshop.out)/cats/\($0)" }
            let all = manifests + ["\(workshop.out)/dogs/manifest.json"]
            #expect(try JSONSchema.manifest.complaints(about: all) == "")
            #expect(try JSONSchema.index.complaints(about: ["\(workshop.out)/index.json"]) == "")
            let dogs = try Library.pages("\(workshop.out)/dogs/manifest.json")
            #expect(dogs.flatMap(\.stickers).map(\.source.nameEncoding).contains("percent"))
            #expect(dogs[0].trayURL?.hasPrefix(base.isEmpty ? "../_/" : "\(base)_/") == true)
        }

        @Test(.needsSchemaValidator) func emptiedCategoryHasTheShapeOfTheSchema() async throws {
            let workshop = try Workshop(.init(publish: ["deleteGraceSeconds": 0]))
            try workshop.put(try Art.png(1), "cats/tom.png")
            #expect(try await workshop.drain().exitCode == 0)
            try workshop.remove("cats/tom.png")

            #expect(try await workshop.drain().exitCode == 0)

            let manifest = "\(workshop.out)/cats/manifest.json"
            #expect(try Library.pages(manifest).flatMap(\.stickers) == [])
            #expect(try JSONSchema.manifest.complaints(about: [manifest]) == "")
            #expect(try JSONSchema.index.complaints(about: ["\(workshop.out)/index.json"]) == "")
        }
    }
}
