import Foundation
import StickerSystem
import StickerValues
import Testing

@testable import StickerStore

struct ObjectStoreTests {
    @Test func objectsAreNamedByTheirContent() throws {
        let folder = try TemporaryFolder()
        let objects = try ObjectStore(out: folder.path)

        let hashes = try objects.place([
            NewObject(bytes: Array("abc".utf8), format: .webp),
            NewObject(bytes: Array("abc".utf8), format: .png), NewObject(bytes: [], format: .jpeg),
        ])

        // FIPS 180-4, the example "abc", and the well-known hash of nothing.
        let abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        let nothing = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
        #expect(hashes.map(\.rawValue) == [abc, abc, nothing])
        #expect(
            try folder.files() == [
                "_/ba/\(abc).png", "_/ba/\(abc).webp", "_/e3/\(nothing).jpg",
            ])
        #expect(try folder.contents("_/ba/\(abc).webp") == Array("abc".utf8))
    }

    @Test func objectThatIsThereIsNotWrittenAgain() throws {
        let folder = try TemporaryFolder()
        let objects = try ObjectStore(out: folder.path)
        let object = NewObject(bytes: Array("abc".utf8), format: .webp)
        _ = try objects.place([object])
        let path = try #require(try folder.files().first)
        let before = try FileManager.default.attributesOfItem(atPath: folder.file(path))

        _ = try objects.place([object, object])

        let after = try FileManager.default.attributesOfItem(atPath: folder.file(path))
        #expect(before[.systemFileNumber] as? Int == after[.systemFileNumber] as? Int)
    }

    @Test func objectOfTheWrongSizeIsWrittenAnew() throws {
        let folder = try TemporaryFolder()
        let objects = try ObjectStore(out: folder.path)
        let object = NewObject(bytes: Array("abc".utf8), format: .webp)
        _ = try objects.place([object])
        let path = try #require(try folder.files().first)
        try folder.write("ab", to: path)

        _ = try objects.place([object])

        #expect(try folder.contents(path) == object.bytes)
    }

    @Test func removalLeavesWhatWasPlacedJustNow() throws {
        let folder = try TemporaryFolder()
        let objects = try ObjectStore(out: folder.path)
        _ = try objects.place([NewObject(bytes: Array("abc".utf8), format: .webp)])
        let path = try #require(try folder.files().first)

        let early = objects.remove([path])
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSinceNow: -3600)],
            ofItemAtPath: folder.file(path))
        let late = objects.remove([path, "../escape", "_/00/none.webp"])

        #expect(early == 0 && late == 1)
        #expect(try folder.files().isEmpty)
    }

    @Test func sameFolderUnderAnotherDeviceNumberIsTheSamePlace() {
        var place = OutPlace(device: 1, rootInode: 77)

        let answers = [(1, 0), (2, 0), (2, 78), (2, 77), (2, 0)].map { device, inode in
            place.isStill(at: device, rootInode: inode)
        }

        #expect(answers == [true, false, false, true, true])
    }

    @Test func foldersThatSomebodyRemovedAreMadeAgain() throws {
        let folder = try TemporaryFolder()
        let objects = try ObjectStore(out: folder.file("out"))
        try FileManager.default.removeItem(atPath: folder.file("out/_"))

        let hashes = try objects.place([NewObject(bytes: [1, 2, 3], format: .webp)])

        let hash = try #require(hashes.first)
        let path = "out/_/\(hash.rawValue.prefix(2))/\(hash.rawValue).webp"
        #expect(try folder.contents(path) == [1, 2, 3])
    }

    @Test func nothingIsMadeInPlaceOfAnOutThatIsAway() throws {
        let folder = try TemporaryFolder()
        let out = folder.file("out")
        let objects = try ObjectStore(out: out)
        try objects.checkPlace()
        try FileManager.default.moveItem(atPath: out, toPath: folder.file("elsewhere"))

        #expect(throws: FileError.self) { try objects.checkPlace() }
        #expect(throws: FileError.self) { try objects.place([object("abc")]) }
        #expect(try !objects.folderWasReplaced())

        #expect(!FileManager.default.fileExists(atPath: out))
        try FileManager.default.moveItem(atPath: folder.file("elsewhere"), toPath: out)
        #expect(try objects.place([object("abc")]).count == 1)
    }

    // MARK: Groups

    private func object(_ text: String) -> NewObject {
        NewObject(bytes: Array(text.utf8), format: .webp)
    }

    private func path(_ hash: ContentHash) -> String {
        "_/\(hash.rawValue.prefix(2))/\(hash.rawValue).webp"
    }

    @Test func stagedFilesThatAreThrownAwayLeaveNothing() throws {
        let folder = try TemporaryFolder()
        let objects = try ObjectStore(out: folder.path)

        var staged: StagedObjects? = try objects.stage([object("abc"), object("def")])

        #expect(staged?.count == 2 && staged?.bytes == 6)
        #expect(try folder.files().count == 2)
        #expect(try folder.files().allSatisfy { $0.contains("/.tmp-") })
        staged = nil
        #expect(try folder.files().isEmpty)
    }

    @Test func equalContentOfAGroupIsPutInPlaceOnce() throws {
        let folder = try TemporaryFolder()
        let objects = try ObjectStore(out: folder.path)
        let first = try objects.stage([object("abc"), object("def")])
        let second = try objects.stage([object("abc"), object("ghi")])

        let errors = objects.commit([first, second])

        #expect(errors == [nil, nil])
        let hashes = Set(first.hashes + second.hashes)
        #expect(try folder.files() == hashes.map(path).sorted())
    }

    @Test func contentOfAnEarlierGroupIsLeftInPlace() throws {
        let folder = try TemporaryFolder()
        let objects = try ObjectStore(out: folder.path)
        let first = try objects.stage([object("abc")])
        let second = try objects.stage([object("abc")])
        #expect(objects.commit([first]) == [nil])
        let file = folder.file(path(first.hashes[0]))
        let before = try FileManager.default.attributesOfItem(atPath: file)

        #expect(objects.commit([second]) == [nil])

        let after = try FileManager.default.attributesOfItem(atPath: file)
        #expect(before[.systemFileNumber] as? Int == after[.systemFileNumber] as? Int)
        #expect(try folder.files() == [path(first.hashes[0])])
    }

    @Test func fileThatCannotBePlacedFailsThoseThatNeedItAlone() throws {
        let folder = try TemporaryFolder()
        let objects = try ObjectStore(out: folder.path)
        let bad = ContentHash(of: Array("bad".utf8))
        try folder.write("in the way", to: path(bad) + "/inner")
        let group = try [["good"], ["bad", "other"], ["bad"], ["fine"]].map { texts in
            try objects.stage(texts.map(object))
        }

        let errors = objects.commit(group)

        #expect(errors.map { $0?.call } == [nil, "rename", "rename", nil])
        for number in [0, 3] {
            #expect(try folder.files().contains(path(group[number].hashes[0])))
        }
    }

    @Test func objectThatWasRemovedMeanwhileIsWrittenAgain() throws {
        let folder = try TemporaryFolder()
        let objects = try ObjectStore(out: folder.path)
        let hash = try #require(try objects.place([object("abc")]).first)
        let staged = try objects.stage([object("abc")])
        try FileManager.default.removeItem(atPath: folder.file(path(hash)))

        let errors = objects.commit([staged])

        #expect(errors == [nil])
        #expect(try folder.contents(path(hash)) == Array("abc".utf8))
    }

    @Test func foldersThatSomebodyRemovedBeforeTheCommitAreMadeAgain() throws {
        let folder = try TemporaryFolder()
        let objects = try ObjectStore(out: folder.file("out"))
        let staged = try objects.stage([object("abc"), object("def")])
        try FileManager.default.removeItem(atPath: folder.file("out/_"))

        let errors = objects.commit([staged])

        #expect(errors == [nil])
        #expect(try folder.files() == staged.hashes.map { "out/" + path($0) }.sorted())
    }
}
