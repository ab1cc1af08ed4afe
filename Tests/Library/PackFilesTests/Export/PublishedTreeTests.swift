import Foundation
import StickerConfiguration
import StickerPackFiles
import StickerTestSupport
import StickerValues
import Testing

/// Published files, as the verbs about packs find them.
struct PublishedTreeTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func refusal(_ category: String, among known: [String]) throws -> String? {
        let categories = known.map { id in
            LibraryIndex.Category(
                identifier: CategoryID(rawValue: id), title: id,
                manifestURL: "\(id)/manifest.json")
        }
        let index = LibraryIndex(generation: 1, categories: categories)
        try folder.write([UInt8](JSONEncoder().encode(index)), to: "index.json")
        var configuration = Configuration()
        configuration.out = folder.path
        let names = CategoryNames(identifier: CategoryID(rawValue: category), folder: nil)
        let tree = PublishedTree(configuration)
        return #expect(throws: PackError.self) { try tree.known(names) }?.description
    }

    @Test func unknownCategoryIsToldWithThoseThereAre() throws {
        #expect(
            try refusal("cat", among: ["birds", "cats"])
                == "there is no published category cat; name one of: birds, cats")
    }

    @Test func noMoreThanTenAreListed() throws {
        let known = (10..<23).map { "c\($0)" }
        #expect(
            try refusal("cat\u{1B}", among: known)
                == "there is no published category cat\\u{1b}; name one of: "
                + known.prefix(10).joined(separator: ", ")
                + " and 3 more, which stickerctl usage lists")
    }

    @Test func emptyLibraryIsToldAsSuch() throws {
        #expect(
            try refusal("cats", among: [])
                == "there is no published category cats; nothing is published at all; "
                + "drop pictures into a folder of the drop")
    }
}
