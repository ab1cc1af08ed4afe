import Foundation
import Logging
import StickerStore
import StickerTestSupport
import StickerValues
import Testing

@testable import StickerDaemon

struct PublisherTests {
    @Test func restGrowsWithTheWriteButNotForEver() {
        #expect(Publisher.rest(after: .milliseconds(3)) == .seconds(1))
        #expect(Publisher.rest(after: .milliseconds(500)) == .seconds(10))
        #expect(Publisher.rest(after: .seconds(60)) == .seconds(30))
    }

    @Test func manifestThatCannotBeWrittenHoldsUpNoOther() throws {
        let library = try BookedLibrary()
        for category in ["birds", "cats", "dogs"] { try library.make("\(category)/a.png") }
        // A folder in the manifest's place: rename(2) cannot replace it.
        try library.folder.write([0], to: "out/cats/manifest.json/obstacle")

        let failed = try library.publish(["birds", "cats", "dogs"])

        #expect(failed.count == 1)
        #expect(failed.first?.hasPrefix("the manifest of cats stays as it was: ") == true)
        #expect(library.manifests == ["birds", "dogs"])
        #expect(try library.behind() == ["cats"])
        #expect(library.trouble.value == failed.first)
    }

    @Test func indexThatCannotBeWrittenHoldsUpNoManifest() throws {
        let library = try BookedLibrary()
        for category in ["cats", "dogs"] { try library.make("\(category)/a.png") }
        try library.folder.write([0], to: "out/index.json/obstacle")

        let failed = try library.publish(["cats", "dogs"])

        #expect(failed.count == 1)
        #expect(failed.first?.hasPrefix("index.json stays as it was: ") == true)
        #expect(library.manifests == ["cats", "dogs"])
        #expect(try library.behind().isEmpty)
        try FileManager.default.removeItem(atPath: library.folder.path("out/index.json"))
        #expect(try library.publish(["cats"]).isEmpty)
        #expect(FileManager.default.fileExists(atPath: library.folder.path("out/index.json")))
    }

    /// The rest is written once more, although nothing reports a change, and although the time to
    /// stop has come.
    @Test(arguments: [false, true]) func categoryThatWasLeftIsPublishedByItself(
        isStopped: Bool
    ) async throws {
        let library = try BookedLibrary()
        let published = WaitableValue<[String]>([])
        let catalog = CatalogPublisher(
            catalog: library.store.catalog,
            objects: try ObjectStore(out: library.folder.path("out")))
        let publisher = Publisher(
            catalog: catalog,
            logger: LogLines { line in
                if line.contains("manifest published") { published.update { $0.append(line) } }
            }.logger
        ) { _ in }
        let (cats, dogs) = (CategoryID(rawValue: "cats"), CategoryID(rawValue: "dogs"))
        try library.make("cats/a.png")
        try library.make("dogs/b.png")
        publisher.changed([cats, dogs])
        #expect(await published.wait { $0.count == 2 } != nil)
        let moved = library.sighting("dogs/a.png", movedFrom: "cats/a.png")
        _ = try library.store.queue.accept([moved], gone: [library.key("cats/a.png")])

        publisher.changed([dogs])
        if isStopped {
            #expect(publisher.stop().isEmpty)
        } else {
            #expect(await published.wait { $0.count == 4 } != nil)
        }

        #expect(try catalog.behind().isEmpty && catalog.beingLeft().isEmpty)
        _ = publisher.stop()
    }

    /// Encoding the entries of a large category takes a while, in which others are published.
    @Test func categoryWithManyEntriesToEncodeHoldsUpNoOther() async throws {
        let library = try BookedLibrary()
        let published = WaitableValue<[String]>([])
        for number in 0..<450 { try library.make("cats/\(number).png") }
        try library.make("dogs/a.png")
        try library.say("cats/category.json", #"{"defaults": {"rating": "g"}}"#)
        let publisher = Publisher(
            catalog: CatalogPublisher(
                catalog: library.store.catalog,
                objects: try ObjectStore(out: library.folder.path("out"))),
            logger: LogLines { line in
                if line.contains("manifest published") { published.update { $0.append(line) } }
            }.logger
        ) { _ in }

        publisher.changed([CategoryID(rawValue: "cats"), CategoryID(rawValue: "dogs")])

        let lines = try #require(await published.wait { $0.count == 2 })
        #expect(lines[0].contains("dogs") && lines[1].contains("cats"))
        #expect(publisher.stop().isEmpty)
        let bytes = try Data(
            contentsOf: URL(filePath: library.folder.path("out/cats/manifest.json")))
        let manifest = try JSONDecoder().decode(Manifest.self, from: bytes)
        #expect(manifest.stickers.count { $0.rating == .general } == 450)
    }

    /// After an upgrade every entry is due, and the start scan needs the database.
    @Test func entriesToEncodeWaitForTheStartScan() async throws {
        let library = try BookedLibrary()
        let published = WaitableValue<[String]>([])
        for path in ["cats/a.png", "dogs/a.png"] { try library.make(path) }
        try library.say("cats/category.json", #"{"defaults": {"rating": "g"}}"#)
        let catalog = CatalogPublisher(
            catalog: library.store.catalog,
            objects: try ObjectStore(out: library.folder.path("out")))
        let publisher = Publisher(
            catalog: catalog, isStarting: true,
            logger: LogLines { line in
                if line.contains("manifest published") { published.update { $0.append(line) } }
            }.logger
        ) { _ in }
        let (cats, dogs) = (CategoryID(rawValue: "cats"), CategoryID(rawValue: "dogs"))

        publisher.changed([cats])
        publisher.changed([dogs])
        let first = try #require(await published.wait { $0.count == 1 })
        #expect(first[0].contains("dogs"))
        #expect(try !catalog.isSettled(cats) && catalog.behind() == [cats])

        publisher.startScanFinished()
        #expect(await published.wait { $0.count == 2 } != nil)
        #expect(try catalog.isSettled(cats) && catalog.behind().isEmpty)
        #expect(publisher.stop().isEmpty)
    }

    @Test func stopSettlesWhatIsLeft() throws {
        let library = try BookedLibrary()
        for number in 0..<450 { try library.make("cats/\(number).png") }
        try library.say("cats/category.json", #"{"defaults": {"rating": "g"}}"#)
        #expect(try library.publish(["cats"]).isEmpty)
        #expect(try library.behind().isEmpty)
    }

    @Test func secondChangeIsPublishedAfterARest() async throws {
        let library = try BookedLibrary()
        let published = WaitableValue<[ContinuousClock.Instant]>([])
        let publisher = Publisher(
            catalog: CatalogPublisher(
                catalog: library.store.catalog,
                objects: try ObjectStore(out: library.folder.path("out"))),
            logger: LogLines { line in
                if line.contains("manifest published") { published.update { $0.append(.now) } }
            }.logger
        ) { _ in }
        let cats: Set = [CategoryID(rawValue: "cats")]

        try library.make("cats/a.png")
        publisher.changed(cats)
        #expect(await published.wait { $0.count == 1 } != nil)
        try library.make("cats/b.png")
        publisher.changed(cats)

        let times = try #require(await published.wait { $0.count == 2 })
        // The line is written shortly after the rest has begun.
        #expect(times[1] - times[0] > .seconds(0.9))
        #expect(publisher.stop().isEmpty)
    }

    @Test func whatWasNotBookedIsWrittenAgain() throws {
        let library = try BookedLibrary()
        for category in ["cats", "dogs"] { try library.make("\(category)/a.png") }
        let failed = try library.publish(["cats", "dogs"], access: .reader)
        #expect(failed.count == 2)
        #expect(library.manifests == ["cats", "dogs"])
        #expect(try library.behind() == ["cats", "dogs"])

        let again = try library.publish(["cats", "dogs"])

        #expect(again.isEmpty)
        #expect(try library.behind().isEmpty)
        #expect(library.manifests == ["cats", "dogs"])
    }
}
