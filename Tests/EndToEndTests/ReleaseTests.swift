import Foundation
import GRDB
import Glibc
import StickerTestSupport
import StickerValues
import Testing

extension EndToEnd {
    /// Libraries as earlier releases left them: their drop, `out` and database, one folder for each.
    struct ReleaseTests {
        /// The releases of which a library is kept.
        static let releases: [String] = {
            let fixtures = Repository.path("Tests/EndToEndTests/Fixtures")
            let names = (try? FileManager.default.contentsOfDirectory(atPath: fixtures)) ?? []
            return names.filter { $0.hasPrefix("library-") }
                .map { String($0.dropFirst("library-".count)) }.sorted()
        }()

        @Test func librariesAreKept() {
            #expect(Self.releases.contains("0.4.0") && Self.releases.contains(Stickerd.version))
        }

        /// Whether the files are those of the database, or came from a backup and have other inodes.
        enum Arrival: String, CaseIterable, CustomTestStringConvertible {
            case inPlace, restored

            var testDescription: String { rawValue }
        }

        @Test(arguments: Self.releases, Arrival.allCases)
        func libraryIsTakenOverAsItIs(release: String, arrival: Arrival) async throws {
            let workshop = try Workshop()
            try moveIn(release, to: workshop, arrival)
            let (stickers, files) = (try stickers(workshop), try files(workshop))
            let jobs = try jobs(workshop)

            #expect(try await workshop.drain().exitCode == 3)  // one file was refused, and is

            #expect(try self.stickers(workshop) == stickers)
            #expect(try self.files(workshop) == files)
            #expect(Library.litter(below: workshop.out) == [])
            if arrival == .inPlace { #expect(try self.jobs(workshop) == jobs) }
            let attention = try await workshop.jobs().filter(\.needsAttention)
            #expect(attention.map(\.file) == ["dogs/broken.png"])
        }

        /// How the file of a release says what has another default by now.
        enum Spelling: String, CaseIterable, CustomTestStringConvertible {
            case absent, spelled

            var testDescription: String { rawValue }
        }

        /// A default that a release changes makes nothing again, whether the key is absent or was copied.
        @Test(arguments: Self.releases, Spelling.allCases)
        func nothingIsEncodedAfterTheUpgrade(release: String, spelling: Spelling) async throws {
            let workshop = try Workshop()
            try moveIn(release, to: workshop, .inPlace)
            if spelling == .spelled { try spell(workshop, as: release) }
            let (files, jobs) = (try files(workshop), try jobs(workshop))

            #expect(try await workshop.drain().exitCode == 3)  // one file was refused, and is

            #expect(try self.files(workshop) == files && self.jobs(workshop) == jobs)
            let plan = try await workshop.stickerctl("plan")
            #expect(plan.exitCode == 0 && plan.output.contains("nothing has to be encoded"))
            let redo = try await workshop.stickerctl("redo", "--wrong")
            #expect(redo.output.contains("0 queued to be made again"), "\(redo.output)")
        }

        /// Every key of `sticker` as the release shipped it.
        private func spell(_ workshop: Workshop, as release: String) throws {
            let url = URL(filePath: workshop.config)
            let json = try JSONSerialization.jsonObject(with: Data(contentsOf: url))
            var configuration = try #require(json as? [String: Any])
            let resample = release == "0.4.0" ? "lanczos3" : "auto"
            let sticker = ##"""
                {"targets": ["whatsapp"], "stillBytesMax": 100000, "animatedBytesMax": 500000,
                "trayBytesMax": 50000, "marginPixels": 0, "trim": false, "resample": "\##(resample)",
                "qualityMin": 20, "goal": "best", "scoreTarget": 90, "scoreMin": 0,
                "tooLong": "faster", "matte": "#FFFFFF", "companions": true, "emojis": [],
                "thumbnails": [{"pixels": 144, "format": "png"}, {"pixels": 96, "format": "webp"}]}
                """##
            configuration["sticker"] = try JSONSerialization.jsonObject(with: Data(sticker.utf8))
            try JSONSerialization.data(withJSONObject: configuration).write(to: url)
        }

        /// Stickers that an earlier release published wrong are counted by their headers, and made again alone.
        @Test func wrongStickersAreCountedAndMadeAgainAlone() async throws {
            let workshop = try Workshop()
            let art = try Art.png(5)
            try workshop.put(art, "cats/right.png")
            try workshop.put(
                TestPNG.inserting(TestPNG.chunk("cICP", [12, 13, 0, 1]), into: art), "cats/p3.png")
            #expect(try await workshop.drain().exitCode == 0)
            try ageByARelease(workshop)
            let (before, jobs) = (try files(workshop), try jobs(workshop))

            #expect(try await workshop.drain().exitCode == 0)

            #expect(try files(workshop) == before && self.jobs(workshop) == jobs)
            let plan = try await workshop.stickerctl("plan").output
            // Both are small, and may be pixel art.
            #expect(plan.contains("2 made by an older release"), "\(plan)")
            #expect(plan.contains("1 of them wrong"), "\(plan)")
            #expect(plan.contains("(png-cicp)"), "\(plan)")
            #expect(try await workshop.stickerctl("status").output.contains("published wrong"))
            #expect(try await workshop.stickerctl("explain", "p3").output.contains("cICP"))

            let redo = try await workshop.stickerctl("redo", "--wrong").output
            #expect(redo.contains("cats/p3.png\n1 queued"), "\(redo)")
            #expect(try await workshop.drain().exitCode == 0)

            #expect(try self.jobs(workshop) == jobs + 1)
            let left = try await workshop.stickerctl("plan").output
            #expect(left.contains("1 made by an older release"), "\(left)")
            #expect(!left.contains("wrong"), "\(left)")
            let again = try await workshop.stickerctl("redo", "--wrong").output
            #expect(again.contains("0 queued"), "\(again)")
        }

        /// Makes the database say that the release before this one made everything.
        private func ageByARelease(_ workshop: Workshop) throws {
            let database = try DatabaseQueue(path: "\(workshop.state)/stickerd.sqlite")
            try database.write {
                try $0.execute(
                    sql: """
                        UPDATE output SET revision = 4, faults = NULL,
                            product = json_set(product, '$.revision', 4)
                        """)
            }
        }

        /// Ids from earlier releases stay, also where a newer one gives other ids.
        @Test(arguments: ["0.4.0"]) func idsStay(release: String) async throws {
            let workshop = try Workshop()
            try moveIn(release, to: workshop, .inPlace)
            let art = try Art.png(77)
            try workshop.put(art, "cats/trending.png")
            try workshop.put(art, "cats/gone.png")

            _ = try await workshop.drain()

            let stickers = try stickers(workshop)
            #expect(stickers["trending"] == "trending.png" && stickers["two"] == "renamed.gif")
            #expect(stickers["wave"] == "01 Wave 👋.png" && stickers["zoe"] == "Zoë.jpg")
            #expect(stickers["trending_2"] == "trending.png" && stickers["gone_2"] == "gone.png")
            #expect(stickers.count == 6)
        }

        /// File names of all stickers by id.
        func stickers(_ workshop: Workshop) throws -> [String: String] {
            let all = try Library(below: workshop.out).stickers
            return Dictionary(
                uniqueKeysWithValues: all.map { ($0.identifier.rawValue, $0.source.name) })
        }

        /// How many jobs there ever were; `stickerctl` reads no database of an earlier release.
        func jobs(_ workshop: Workshop) throws -> Int {
            let database = try DatabaseQueue(path: "\(workshop.state)/stickerd.sqlite")
            return try database.read {
                try Int.fetchOne($0, sql: "SELECT seq FROM sqlite_sequence WHERE name = 'job'") ?? 0
            }
        }

        /// The inodes of the published pictures: one that is made again, as a newer recipe may demand, has
        /// another.
        func files(_ workshop: Workshop) throws -> [String: Int?] {
            let folder = "\(workshop.out)/_"
            let named = try Library(below: workshop.out).stickers.flatMap(\.files)
            let paths = named.map { $0.url.replacing("../_/", with: "") }
            return try Dictionary(
                uniqueKeysWithValues: Set(paths).map { path in
                    let attributes = try FileManager.default.attributesOfItem(
                        atPath: "\(folder)/\(path)")
                    return (path, attributes[.systemFileNumber] as? Int)
                })
        }

        func moveIn(
            _ release: String, to workshop: Workshop, _ arrival: Arrival
        ) throws {
            let fixture = Repository.path("Tests/EndToEndTests/Fixtures/library-\(release)")
            try FileManager.default.removeItem(atPath: workshop.drop)
            for part in ["drop", "out", "state"] {
                try FileManager.default.copyItem(
                    atPath: "\(fixture)/\(part)", toPath: workshop.folder.path(part))
            }
            let database = try DatabaseQueue(path: "\(workshop.state)/stickerd.sqlite")
            try database.write { database in
                let tables = try String.fetchAll(
                    database,
                    sql: """
                        SELECT DISTINCT m.name FROM sqlite_master AS m
                        JOIN pragma_table_info(m.name) AS c
                        WHERE m.type = 'table' AND c.name = 'drop_path'
                        """)
                for table in tables {
                    try database.execute(
                        sql: "UPDATE \(table) SET drop_path = ?", arguments: [workshop.drop])
                }
                // There is one drop.
                try database.execute(
                    sql: "UPDATE note SET key = ?, value = ? WHERE key LIKE 'drop /%'",
                    arguments: [
                        "drop \(workshop.drop)", try status(workshop.drop).st_ino.description,
                    ])
                // It was left just now, whatever the day is: nothing is too old to be kept.
                for (table, column) in [("job", "finished_at"), ("sticker", "deleted_at")] {
                    try database.execute(
                        sql: """
                            UPDATE \(table) SET \(column) = unixepoch() * 1000
                            WHERE \(column) IS NOT NULL
                            """)
                }
                if arrival == .inPlace { try adopt(workshop, database) }
            }
        }

        /// Puts the inodes and times of the files into the database, as if they had been made here.
        private func adopt(_ workshop: Workshop, _ database: Database) throws {
            let sources = try Row.fetchAll(
                database, sql: "SELECT id, directory, name FROM source WHERE present = 1")
            for source in sources {
                let folder = String(decoding: source["directory"] as Data, as: UTF8.self)
                let name = String(decoding: source["name"] as Data, as: UTF8.self)
                let status = try status("\(workshop.drop)/\(folder)/\(name)")
                let generation: StatementArguments = [
                    Int64(bitPattern: UInt64(status.st_ino)), status.st_size,
                    nanoseconds(status.st_mtim), nanoseconds(status.st_ctim), source["id"] as Int64,
                ]
                for (table, key) in [("source", "id"), ("job", "source")] {
                    try database.execute(
                        sql: """
                            UPDATE \(table) SET inode = ?, size = ?, mtime = ?, ctime = ?
                            WHERE \(key) = ?
                            """, arguments: generation)
                }
            }
        }

        private func status(_ path: String) throws -> stat {
            var status = stat()
            guard lstat(path, &status) == 0 else { throw POSIXError(.ENOENT) }
            return status
        }

        private func nanoseconds(_ time: timespec) -> Int64 {
            Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
        }
    }
}
