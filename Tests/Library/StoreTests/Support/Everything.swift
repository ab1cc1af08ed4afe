import Foundation
import StickerConfiguration
import StickerSystem
import StickerValues

@testable import StickerStore

/// A library to which everything happens once: every call of the store, in every way that has a
/// statement of its own.
struct Everything {
    let library: Library
    private var store: LibraryStore { library.store }
    private let cats = CategoryID(rawValue: "cats")

    init(_ library: Library) { self.library = library }

    func run() throws {
        try work()
        try vanish()
        try rename()
        try changeFormats()
        try say()
        try review()
        try deleteMany()
        try operate()
        try redo()
        try tellTime()
        try ship()
        try keepHouse()
        try restart()
        try goBack()
    }

    /// A library of release 0.4.0 is upgraded, changes, and goes back.
    private func goBack() throws {
        let older = try Library(trace: library.trace)
        try older.takeRelease04()
        try older.reopen()
        _ = try older.store.earlierDatabase()
        let housekeeper = try older.housekeeper()
        try older.folder.write("kept", to: "out/_/ab/kept.webp")
        _ = try housekeeper.sweep()
        for (path, content) in [("birds/a.png", 1), ("ants/b.png", 2), ("dogs/c.png", 3)] {
            try older.makeThere(path, content)
        }
        _ = try older.store.operations.giveNewID(to: "zoe")
        try older.change(
            // Another category has the name that a new one wants.
            "UPDATE source SET directory = CAST('stickers' AS BLOB) WHERE sticker = 'b'",
            "UPDATE source SET directory = CAST('katzen' AS BLOB) WHERE sticker = 'wave'",
            // A new file has the name that a renamed one had.
            "UPDATE source SET directory = x'00' WHERE sticker = 'two'",
            """
            UPDATE source SET name = (SELECT name FROM source WHERE sticker = 'two'),
                directory = CAST('dogs' AS BLOB) WHERE sticker = 'a'
            """,
            // And a renamed one that of a removed one.
            "UPDATE source SET name = x'01', present = 0, output = NULL WHERE sticker = 'trending'",
            """
            UPDATE source SET name = CAST('trending.png' AS BLOB), directory = x''
            WHERE sticker = 'two'
            """)
        _ = try older.goBack(trace: library.trace)
    }

    private func work() throws {
        library.policy.pageEntriesMax = 2
        library.policy.retryDelays = [.seconds(1)]
        for number in 0..<5 { try library.make("cats/\(number) wave.png", number) }
        try library.make("cats/cover.png", 9)
        try library.make("top.png", 10, isCMYK: false)
        try library.make("cats/0 wave.png", 20)
        try library.accept(sighting("cats/bad.psd"), sighting("cats/bad.psd", 2))
        try library.accept(sighting("cats/slow.png", 1, .changed))
        try library.accept(sighting("cats/slow.png", 2, .changed))
        var owned = sighting("cats/slow.png", 2, .closed)
        owned.owner = 1000
        try library.accept(owned)
        let slow = try next()
        try library.finish(slow, .changed(sighting("cats/slow.png", 3).version))
        try library.accept(sighting("cats/slow.png", 3))
        let again = try next()
        try library.accept(sighting("cats/slow.png", 4))
        try library.finish(again, .workerFailed(.emptyFile, content: nil))
        for outcome in [
            JobOutcome.unchanged(content: hash(1)), .arriving(delay: .zero, why: "open"),
            .yielded(isForeseen: true),
            .released("no room"), .cancelled(.superseded), .failed("once"),
            .workerFailed(.emptyFile, content: hash(1)), .unread("twice"),
        ] { try library.finish(try next(), outcome) }
        _ = try store.queue.nextDue()
        for content in [0, 20] { _ = try library.outlook("cats/copy.png", hash(content)) }
        _ = try store.catalog.liveProduct(StickerID(rawValue: "wave"))
        _ = try store.catalog.liveProduct(of: key("cats/cover.png"))
        _ = try store.operations.unreadable(limit: 5)
        _ = try store.sources.replacements(among: [sighting("cats/0 wave.png", 99)])
        _ = try library.outlook("cats/0 wave.png", hash(20))
    }

    /// Pictures that wait for review, and changes by people.
    private func review() throws {
        try library.accept(sighting("cats/review.png", 60))
        let refusal = Refusal(.needsReview, "it waits", remedy: "publish it")
        try library.finish(try next(), .refused(refusal, content: hash(60)))
        var filter = JobFilter()
        filter.ids = try store.operations.jobsInReview()
        _ = try store.operations.publish(filter, by: "eve")
        try store.operations.approve(hash(61), at: key("cats/next.png"), by: nil)
        try library.finish(try next(), .made(product(60), content: hash(60)))
        try store.operations.note([NewChange("added it", of: [key("away/a.png")])], by: "ada")
        _ = try store.operations.changes(in: CategoryID(rawValue: "cats"), limit: 5)
        if let story = try store.operations.story(of: "cats/review.png") {
            _ = try store.operations.changes(of: story, limit: 5)
        }
    }

    private func next(line: Int = #line) throws -> ClaimedJob {
        library.time.advance(.seconds(2))
        guard let job = try library.claim().first else {
            throw Missing("no job to claim in line \(line)")
        }
        return job
    }

    private func vanish() throws {
        try library.make("gone/a.png", 30)
        try library.make("gone/below/b.png", 31)
        try library.make("gone/c.png", 32)
        _ = try store.sources.presentDirectories(drop: "/drop")
        _ = try store.sources.news(among: [sighting("gone/a.png", 30)])
        _ = try store.sources.presentNames(drop: "/drop", directory: [], after: nil, limit: 5)
        // A rename onto a file that is not published.
        try library.accept(sighting("gone/new.png", 7))
        var renamed = sighting("gone/new.png", 32)
        renamed.version = sighting("gone/c.png", 32).version
        try library.accept(renamed, gone: [key("gone/c.png")])
        var misnamed = sighting("gone/d.png_large", 33)
        misnamed.stranger = .misnamed(MisnamedPicture(misnamed.key, format: .png) { _ in false })
        for _ in 0..<2 { try library.accept(misnamed) }
        try library.make("gone/w.png", 34)
        try library.accept(sighting("gone/w~20240131-120000.png", 35))
        let stale = Refusal(.conflictCopy, "it is a copy", remedy: "keep one")
        try library.finish(try next(), .refused(stale, content: nil))
        _ = try (
            store.catalog.expected(misnamed.key), store.operations.releaseCopies(),
            store.operations.hasDismissed()
        )
        _ = try store.queue.folderGone(drop: "/drop", directory: Array("gone/below".utf8))
        try library.accept(gone: [key("gone/a.png")])
        try store.sources.disbelieveMissing(inDrop: "/drop")
        _ = try store.queue.folderGone(drop: "/drop", directory: Array("gone".utf8))
        library.time.advance(.seconds(100))
        _ = try store.catalog.expireMissing()
        try library.accept(sighting("gone/a.png", 30))
        try library.finish(try next(), .cancelled(.vanished))
        _ = try store.queue.folderGone(drop: "/elsewhere", directory: [])
        _ = try store.sources.inode(ofDrop: "/drop")
        try store.sources.note(inode: 7, ofDrop: "/drop")
        _ = try store.sources.formerDrop(of: "/elsewhere", inode: 8, listed: ["/elsewhere"])
        let named = [DropFolder(path: "/elsewhere", name: "art")]
        _ = try (store.sources.settleNames(named), store.sources.outlook(of: named))
        try store.sources.move(
            MovedDrop(from: "/elsewhere", path: "/nowhere", stickers: 0), inode: 8)
        store.sources.hold(drop: "/away", isAbsent: true)
        _ = try store.operations.setPaused(true, category: CategoryID(rawValue: "gone"))
        _ = try library.claim(3)
        store.sources.hold(drop: "/away", isAbsent: false)
        _ = try store.operations.setPaused(false, category: CategoryID(rawValue: "gone"))
        _ = try (store.operations.setPaused(false), store.operations.pauses())
    }

    /// Side files that come, change and go.
    private func say() throws {
        try library.make("words/a.png", 50)
        for (path, text) in [
            ("words/category.json", #"{"title": "W", "defaults": {"rating": "g"}}"#),
            ("words/title.txt", "T"), ("words/a.png.sticker.json", #"{"title": "A"}"#),
            ("words/category.json", #"{"title": "W", "stickers": {"a.png": {"rating": "g"}}}"#),
        ] { try say(path, text) }
        _ = try (
            store.catalog.wordsFile(of: CategoryID(rawValue: "words")),
            store.operations.pictures(of: "a")
        )
        try library.accept(gone: [key("words/a.png"), key("words/category.json")])
        library.time.advance(.seconds(100))
        _ = try store.catalog.expireMissing()
        try library.make("words/a.png", 50)
        try say("words/a.png.sticker.json", #"{"title": "Bee"}"#)
        try library.make("said/b.png", 51)
        try library.make("said/c.png", 52)
        _ = try (
            store.operations.giveNewID(to: "c"),
            store.operations.pass(StickerID(rawValue: "c"), to: "c_2")
        )
        try say("said/title.txt", "Said")
        try say(
            "said/category.json", #"{"look": {"watermarks": [{"id": "l", "image": "l.png"}]}}"#)
        _ = try (
            store.queue.takeRestyled(), store.queue.rereadLooks(),
            store.catalog.look(of: CategoryID(rawValue: "said"))
        )
        let again = try next()
        try library.finish(again, .said(changed: [], content: hash(1)))
    }

    private func say(_ path: String, _ text: String) throws {
        try library.accept(sighting(path, Int64(text.utf8.count)))
        let words = try SideFile(key(path))?.words(in: Array(text.utf8)) ?? SideFileWords()
        let job = try next()
        let changed = try store.catalog.note(words, of: job) ?? []
        try library.finish(job, .said(changed: changed, content: hash(1)))
    }

    /// Deletions that are held, and what comes back.
    private func deleteMany() throws {
        for number in 0..<13 { try library.make("many/\(number).png", 500 + number) }
        try library.make("others/a.png", 600)
        let gone = (0..<12).map { key("many/\($0).png") }
        _ = try store.queue.accept([], gone: gone, byScanOf: "/drop")
        _ = try (
            store.catalog.expireMissing(), store.catalog.expireMissing(),
            store.catalog.deletionHolds()
        )
        try library.accept(sighting("many/0.png", 500), sighting("many/1.png", 501))
        try library.accept(sighting("many/2.png", 502))
        _ = try store.catalog.expireMissing()
        try library.accept(gone: [key("others/a.png")])
        _ = try store.catalog.holdEmptied(drop: "/drop")
        _ = try store.catalog.confirmDeletions(of: "others")
        _ = try store.catalog.confirmDeletions(of: "/drop")
        _ = try (
            store.catalog.expireMissing(), store.operations.trash(),
            store.sources.stickers(ofDrop: "/drop")
        )
        _ = try store.sources.isAlike(drop: "/drop", inode: 5)
        let trash = try store.operations.trash().dropFirst(2)
        for sticker in trash { _ = try store.operations.restore(sticker.sticker) }
        for sticker in trash.prefix(2) { _ = try store.operations.putInTrash(sticker.sticker) }
        try library.make("others/back.png", 600)
        try library.accept(gone: [key("others/back.png")])
        try library.make("many/here.png", 600)
        try library.accept(gone: [key("many/here.png")])
        library.time.advance(.seconds(100))
        _ = try store.catalog.expireMissing()
        try library.make("many/here.png", 601)
        try library.make("many/there.png", 600)
        try otherArtUnderTheOldName()
        try emptyDisk()
    }

    private func otherArtUnderTheOldName() throws {
        var seen = sighting("one.png", 650)
        seen.key.drop = "/few"
        for content in [650, 651] {
            try library.accept(seen)
            try library.finish(try next(), .made(product(content), content: hash(content)))
            try library.accept(gone: [seen.key])
            library.time.advance(.seconds(100))
            if content == 650 { _ = try store.catalog.expireMissing() }
        }
        _ = try store.catalog.holdEmptied(drop: "/few")
        _ = try store.catalog.expireMissing()
    }

    private func emptyDisk() throws {
        let disk = try DropsOnDisk(library)
        try disk.fill("other/ants", 2, sizes: 700)
        try disk.scan("other")
        try disk.publish()
        try disk.rename("other", to: "gone")
        try disk.makeFolder("other")
        _ = try store.catalog.acceptFolder(ofDrop: disk.path("other"))
        _ = try store.catalog.removeDrop(disk.path("other"))
    }

    /// Two folders take each other's names.
    private func rename() throws {
        let disk = try DropsOnDisk(library)
        library.policy.categoryEmojis = ["ants": ["🐜"]]
        try disk.fill("art/ants", 2)
        try disk.fill("art/bees", 2, sizes: 50)
        try disk.scan("art")
        try disk.publish()
        try disk.rename("art/ants", to: "art/other")
        try disk.rename("art/bees", to: "art/ants")
        try disk.rename("art/other", to: "art/bees")
        try disk.scan("art")
    }

    private func changeFormats() throws {
        try library.make("art/wave.png", 70)
        try library.make("art/wave.webp", 71)
        try library.accept(gone: [key("art/wave.png")])
        library.time.advance(.seconds(1))
        _ = try library.store.catalog.expireMissing()
        // The former name is another picture's now, and that leaves with a third one.
        try library.make("art/wave.png", 72)
        try library.make("art/wave.gif", 73)
        try library.accept(gone: [key("art/wave.png"), key("art/wave.webp")])
        library.time.advance(.seconds(1))
        _ = try library.store.catalog.expireMissing()
        try library.accept(sighting("art/wave.png", 72), sighting("art/wave.webp", 71))
        try library.accept(gone: [key("art/wave.gif")])
        try library.make("art/wave.apng", 74)
    }

    private func operate() throws {
        try library.accept(sighting("cats/refused.png"))
        let job = try next()
        try library.finish(job, .refused(.emptyFile, content: nil))
        try store.operations.setLiveFigures(LiveFigures(version: "1", startedAt: 0))
        _ = try (
            store.operations.liveFigures(), store.operations.status(), store.operations.usage(),
            store.operations.jobs()
        )
        _ = try store.queue.expectedWork()
        _ = try (
            store.operations.averageJobMilliseconds(),
            store.operations.jobs(endedSince: 0, limit: 5)
        )
        _ = try (store.operations.lastEnded(limit: 5), store.operations.nextInTurn(limit: 5))
        _ = try store.operations.lastEnded(
            limit: 5, category: CategoryID(rawValue: "cats"), needingAttention: true)
        try store.checkVersion()
        _ = try store.operations.endedFiles(since: 0, after: nil, limit: 1000)
        _ = try store.operations.files(in: "cats", ofDrop: "/drop")
        try store.operations.noteUploads(until: store.now)
        _ = try store.operations.uploadsNotedUntil()
        _ = try (store.operations.job(job.id), store.operations.story(of: "wave"), store.isEmpty())
        _ = try store.operations.story(of: "nobody")
        _ = try store.catalog.absentPictures(["a.png"], of: CategoryID(rawValue: "cats"))
        for filter in filters(job.id) {
            _ = try (store.operations.jobs(filter), store.operations.count(filter))
        }
        _ = try store.operations.retry(filters(job.id)[0])
        try library.finish(try next(), .refused(.emptyFile, content: nil))
        _ = try store.operations.renew("wave", tooLong: .own(.trim))
        _ = try store.operations.renew("wave", tooLong: .ofTarget)
        _ = try (
            store.operations.bump(filters(job.id)[0]),
            store.operations.retry(filters(job.id)[0], isForced: true)
        )
        library.time.advance(.seconds(2))
        _ = try store.operations.bump(filters(job.id)[0])
        try library.finish(try next(), .refused(.emptyFile, content: nil))
        _ = try store.operations.dismiss(filters(job.id)[0])
        _ = try store.operations.retry(filters(job.id)[0])
        try library.finish(try next(), .refused(.emptyFile, content: nil))
    }

    private func filters(_ id: JobID) -> [JobFilter] {
        var filters = [JobFilter](repeating: JobFilter(), count: 8)
        filters[0].ids = [id]
        filters[1].states = [.available, .scheduled, .retryable, .executing]
        filters[2].category = cats
        filters[3].reason = "empty-file"
        filters[4].needingAttention = true
        filters[5].file = "cats/refused.png"
        filters[6].since = 1
        filters[7].search = "refused"
        return filters
    }

    private func redo() throws {
        _ = try store.queue.stale { _, _ in RecipeIDs("another") }
        _ = try store.queue.redoStale { _, _ in RecipeIDs("another") }
        while let job = try library.claim().first {
            try library.finish(job, .refused(.emptyFile, content: nil))
        }
        _ = try store.queue.redoStale { _, _ in RecipeIDs("recipe") }
        try library.make("cats/twin.png", 1)
        _ = try store.operations.renewOutdated(limit: 1)
        _ = try store.operations.renew("cats/1 wave.png")
        while let job = try library.claim().first {
            try library.finish(job, .made(product(1, files: 2), content: hash(1)))
        }
        try mend()
        try store.operations.renewShortfalls(of: [.willNotFit])
    }

    /// A release that mends faults, and changes a default, takes the library over.
    private func mend() throws {
        let change = ChangedDefault(
            "sticker.resample", revision: 9, \.resample, from: .lanczos3, to: .nearest)
        var configuration = StickerConfiguration.Configuration()
        configuration.sticker.resample = .nearest
        let older = configuration.before([change])
        configuration.categories["spelled"] = older.sticker
        let ids = older.recipe(of: CategoryNames(folder: nil)).ids.still
        for (path, content) in [("old/a.png", 70), ("spelled/a.png", 70), ("old/b.png", 71)] {
            try library.accept(sighting(path, Int64(content)))
            library.time.advance(.seconds(5))
            for job in try library.claim(9) {
                let made = product(content, recipe: ids.whole, revision: 1)
                try library.finish(job, .made(made, content: hash(content)))
                try store.write {
                    _ = try $0.run(
                        """
                        UPDATE job SET state = 'cancelled', recipe = '\(ids.whole)'
                        WHERE id = \(job.id)
                        """)
                }
            }
        }
        try store.catalog.adoptChangedDefaults([change], in: configuration)
        for sticker in try store.catalog.unseen(after: 0, limit: 9) {
            let revision = sticker.product.revision
            try store.catalog.note([
                NotedFaults(output: sticker.output, revision: revision, names: ["a"], isWrong: true)
            ])
        }
        _ = try store.operations.renewOutdated(limit: 1, onlyWrong: true)
    }

    private func tellTime() throws {
        try library.accept(sighting("cats/clock.smart.svg"))
        for content in 50...51 {
            library.time.advance(.seconds(2))
            try store.queue.renewTemplates(ifChanged: "\(content)")
            _ = try store.queue.renewTemplates()
            for job in try library.claim(9) {
                try library.finish(
                    job, .made(product(content), content: hash(50)),
                    drawing: TemplateDrawing(content: hash(content), next: 1))
            }
        }
        try store.queue.renewTemplates(ifChanged: "unknown")
        _ = try store.queue.renewTemplates()
        let working = try library.claim(9)
        try store.queue.renewTemplates(ifChanged: "unknown as well")
        _ = try store.queue.renewTemplates()
        for job in working { try library.finish(job, .withdrawn(.unknownWeather)) }
        _ = try store.queue.withdrawnTemplates()
        _ = try store.queue.slowTemplates(max: 1)
        _ = try store.operations.file(of: JobID(rawValue: 1))
        _ = try store.operations.products(of: [StickerID(rawValue: "wave")])
        let cats = CategoryID(rawValue: "cats")
        _ = try (store.operations.categories(limit: 5), store.operations.category(cats))
        _ = try store.operations.stickers(in: cats, from: 0, limit: 5)
        _ = try (store.operations.order(of: cats), store.operations.wording(of: cats))
        _ = try store.operations.wording(of: StickerID(rawValue: "wave"))
        _ = try store.operations.category(of: StickerID(rawValue: "wave"))
        _ = try store.operations.stickers(showing: ContentHash(of: []))
    }

    /// The smart stickers of stickerd come, leave, are restored and come again.
    private func ship() throws {
        let drop = DropFolder(path: "/shipped", name: ShippedTemplates.dropName)
        _ = try store.sources.settleNames([drop])
        for content in 60...61 {
            try library.accept(
                Sighting(
                    key: key("smart/smart clock.smart.svg", drop: drop.path),
                    version: sighting("smart clock.smart.svg", Int64(content)).version,
                    isRegularFile: true, origin: .closed))
            library.time.advance(.seconds(5))
            for job in try library.claim(9) {
                try library.finish(
                    job, .made(product(content), content: hash(content)),
                    drawing: TemplateDrawing(content: hash(content), next: nil))
            }
            guard content == 60, let left = try store.sources.unlistedShipped([]) else { continue }
            _ = try store.catalog.removeDrop(left.path)
            _ = try store.catalog.expireMissing()
            _ = try store.operations.restore(StickerID(rawValue: "smart_clock"))
        }
    }

    private func keepHouse() throws {
        let publisher = try library.publisher()
        let housekeeper = try library.housekeeper()
        try publisher.publishRemovals()
        for category in try publisher.missingOrDirty() { _ = try publisher.publish(category) }
        try publisher.publishRemovals()
        try rebuild()
        _ = try (publisher.behind(), publisher.beingLeft())
        try FileManager.default.removeItem(atPath: library.out + "/cats/manifest.json")
        for category in try publisher.missingOrDirty() { _ = try publisher.publish(category) }
        try library.folder.write("lost", to: "out/_/ab/lost.webp")
        _ = try housekeeper.noteLost()
        _ = try store.catalog.noteLost([1, 2]) { _ in true }
        _ = try housekeeper.sweep()
        library.policy.publicBaseURL = "https://example.org/"
        library.policy.pageEntriesMax = 3
        try store.catalog.refreshEntries()
        library.policy.defaultCategory = "others"
        _ = try store.catalog.moveToDefaultCategory()
        for category in try publisher.missingOrDirty() { _ = try publisher.publish(category) }
        _ = try housekeeper.sweep()
        library.policy.historyBytesMax = 0
        _ = try housekeeper.prune()
        library.time.advance(.seconds(200 * 86400))
        _ = try housekeeper.prune()
        try store.copy(to: library.folder.path + "/copy.sqlite")
        _ = try (store.publishedFiles(), store.removedStickers())
        _ = try store.stickersWithoutFile(in: [])
        try store.continueAfterLoss(since: store.now)
        _ = try store.packs.record(
            [PackRecord(category: cats, kind: "still", number: 1, content: "{}", pictures: ["a"])],
            after: [],
            of: cats, for: .whatsapp)
        _ = try (
            store.packs.records(of: nil, for: .whatsapp),
            store.packs.packedCategories(for: .whatsapp)
        )
        _ = try (store.packs.readiness(of: cats), store.catalog.isInPack("_/ab/lost.webp"))
        _ = try (store.packs.knownProducts(of: hash(1)), store.packs.coverPicture(of: cats))
        try store.packs.keep(product(1, recipe: RecipeID(rawValue: "pack")), of: hash(1))
        _ = store.packs.bytes(of: StickerID(rawValue: "killer"), hash(1), 1)
        _ = try (
            store.catalog.names(of: cats), store.packs.packedCategories(),
            store.packs.busyCategories()
        )
        _ = try store.packs.setReadiness(
            [.whatsapp: Readiness(packs: [], findings: [])], generation: 1, mark: "1", of: cats)
        try store.packs.packAgain(cats)
        _ = try (
            store.packs.lackingPacks(), store.packs.shortPacks(),
            store.packs.libraryPacks(for: [.whatsapp])
        )
        _ = try store.packs.unusedPacks(except: [:])
        _ = try (
            store.catalog.categoryNames(), store.packs.release([], after: [], of: cats, for: .line)
        )
        _ = try publisher.publish(cats)
    }

    private func restart() throws {
        try library.accept(sighting("cats/killer.png"), sighting("cats/killer.png", 2))
        _ = try library.claim(3)
        try library.accept(sighting("cats/killer.png", 2, ctime: 9))
        let executing = try store.operations.jobs().first { $0.state == .executing }
        for crash in [executing.map { .job($0.id.rawValue) }, .output(1), .file(1)] as [Reading?] {
            try crash.map { try store.queue.note($0) }
            _ = try store.queue.recover(after: crash)
        }
        _ = try (store.queue.isAvoided(1), store.queue.noteAlive())
        var held = sighting("cats/held")
        held.stranger = .crashing
        try library.accept(held)
        var heldAlone = JobFilter()
        heldAlone.reason = "daemon-crashed"
        _ = try store.operations.retry(heldAlone)
        try library.accept(sighting("cats/later.psd"))
        _ = try store.write {
            try $0.run(
                """
                UPDATE source SET name = x'612e626d70'
                WHERE drop_path = '/drop' AND directory = x'63617473' AND name = x'6C617465722E707364'
                """)
        }
        _ = try store.operations.retryNewFormats()
        _ = try (store.queue.recover(), store.dataVersion())
    }

    private func rebuild() throws {
        let store = LibraryStore(
            try StoreConnection(
                path: library.folder.file("rebuilt.sqlite"), access: .daemon,
                policy: library.policy, adopting: EarlierRecipes(), clock: library.time.clock,
                jitter: { 1 }, trace: library.trace))
        try library.folder.write(#"{"title": "W"}"#, to: "rebuilt/words/category.json")
        try library.folder.write("{}", to: "rebuilt/words/a.png")
        let drop = library.folder.file("rebuilt")
        _ = try Rebuild.fill(store, out: library.out, drops: [drop])
    }
}
