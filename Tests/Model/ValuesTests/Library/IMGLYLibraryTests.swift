import StickerValues
import Testing

/// The library of IMG.LY's editors.
struct IMGLYLibraryTests {
    private func names(_ names: [String]) throws -> [String] {
        let items = names.map { name in
            IMGLYLibrary.Item(
                identifier: name, name: name, stickerURI: "a.png", thumbnailURI: nil,
                tintMode: nil, moves: false)
        }
        let category = IMGLYLibrary.Category(identifier: "cats", name: "Cats", items: items)
        return try #require(category).items.map(\.name)
    }

    @Test func namesAreThereOnce() throws {
        #expect(
            try names(["Cat", "Cat", "Cat 2", "Cat", "Cat 2", "Dog"])
                == ["Cat", "Cat 3", "Cat 2", "Cat 4", "Cat 2 2", "Dog"])
    }

    @Test func manyOfOneNameAreNumberedInTheirOrder() throws {
        let named = try names(Array(repeating: "Cat", count: 50_000))
        #expect(named.last == "Cat 50000" && Set(named).count == 50_000)
    }
}
