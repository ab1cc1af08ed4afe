import Glibc
import StickerConfiguration
import StickerValues
import Testing

@testable import StickerWatch

extension WatchTests {
    /// Names that programs and people give to files, and whether they are looked at.
    @Suite struct NameTableTests {
        static let looked: [[UInt8]] =
            [
                "plain.png", "Upper.JPG", "x.JPeG", "x.jpe", "x.jfif", "x.apng", "x.gif", "a b.png",
                " lead.png", "trail .png", "tab\tname.png", "new\nline.png", "$(id).png", "-rf.png",
                "--.png", "100%25.png", "..%2fup.png", "back\\slash.png", "*?.png", "[a].png",
                "q\"'`.png", "con.png", "a.png.png", "#1 cat.png", "~cat.png", "cover.png",
                "\u{202E}gnp.exe.png", "a\u{200B}b.png", "😀.png", "cafe\u{301}.png", "你好.png",
                "foreign.webp", "foreign.HEIC",
            ].map { Array($0.utf8) }
            + [
                [0xFF, 0xFE] + Array(".png".utf8), Array("caf".utf8) + [0xE9] + Array(".png".utf8),
                [1, 2] + Array(".png".utf8), [0xC0, 0xAF] + Array(".gif".utf8),
                Array(repeating: UInt8(ascii: "y"), count: 251) + Array(".png".utf8),
            ]

        static let leftAlone: [[UInt8]] = [
            ".png", ".hidden.png", "..png", "._a.png", ".a.png.swp", ".a.png.aB3dE9", "a.png~",
            "#a.png#", "~$a.png", "~syncthing~a.png.tmp", "a.png.part", "a.png.crdownload",
            "a.png.filepart", "a.png.tmp", "noext", "a.", "a.txt", "a.png.exe", "manifest.json",
            "Thumbs.db", "desktop.ini", "4913", "pngx", "a.pngx",
        ].map { Array($0.utf8) }

        @Test(arguments: TreeWatcherTests.backends)
        func ourTable(_ backend: WatchConfiguration.Backend) throws {
            try check(backend, Self.looked, Self.leftAlone)
        }

        @Test(
            .enabled(if: corpusTable != nil, "needs STICKERD_CORPUS, a folder with bad/names.tsv"),
            arguments: TreeWatcherTests.backends)
        func outsideTable(_ backend: WatchConfiguration.Backend) throws {
            let rows = try #require(Self.corpusTable)
            try #require(!rows.isEmpty)

            try check(
                backend, rows.filter(\.isLooked).map(\.name),
                rows.filter { !$0.isLooked }.map(\.name))
        }

        /// Both at the start and later.
        private func check(
            _ backend: WatchConfiguration.Backend, _ looked: [[UInt8]], _ leftAlone: [[UInt8]]
        ) throws {
            let rig = try WatcherRig(backend)
            let folders = ["drop/before/", "drop/after/"].map { Array($0.utf8) }
            try rig.folder.makeFolder("drop/before")
            for name in looked + leftAlone { try rig.folder.write(folders[0] + name) }

            try rig.start()
            try rig.folder.makeFolder("drop/after")
            for name in looked + leftAlone { try rig.folder.write(folders[1] + name) }

            rig.expect("\(looked.count) names twice") { $0.files.count >= 2 * looked.count }
            rig.watcher.rescan()
            rig.expect("rescan") { _ in rig.watcher.status.scans > 1 }
            let expected = Set(
                ["before", "after"].flatMap { folder in
                    looked.map {
                        SourceKey(drop: rig.drop, directory: Array(folder.utf8), name: $0)
                    }
                })
            let found = Set(rig.books.current.files.keys)
            #expect(expected.subtracting(found).map(\.display) == [])
            #expect(found.subtracting(expected).map(\.display) == [])
            // A name that is heard of after its folder was looked at counts twice until the next look.
            rig.expect("\(leftAlone.count) names left alone twice") { _ in
                if rig.watcher.status.ignoredFiles == 2 * leftAlone.count { return true }
                rig.watcher.rescan()
                return false
            }
        }

        // MARK: The table of the corpus

        struct Row: Sendable {
            var name: [UInt8]
            var isLooked: Bool
        }

        static let corpusTable: [Row]? = {
            guard let folder = getenv("STICKERD_CORPUS") else { return nil }
            guard let file = fopen(String(cString: folder) + "/bad/names.tsv", "re") else {
                return nil
            }
            defer { fclose(file) }
            var text: [UInt8] = []
            while true {
                let byte = fgetc(file)
                guard byte != EOF else { break }
                text.append(UInt8(truncatingIfNeeded: byte))
            }
            return text.split(separator: UInt8(ascii: "\n")).dropFirst().compactMap(row)
        }()

        /// `name_hex`, `bytes`, `verdict`, and two columns for people.
        private static func row(_ line: ArraySlice<UInt8>) -> Row? {
            let columns = line.split(separator: UInt8(ascii: "\t"))
            guard columns.count > 2 else { return nil }
            let digits = columns[0].compactMap { Character(UnicodeScalar($0)).hexDigitValue }
            let name = stride(from: 0, to: digits.count - 1, by: 2).map {
                UInt8(digits[$0] * 16 + digits[$0 + 1])
            }
            return Row(name: name, isLooked: columns[2].elementsEqual("process".utf8))
        }
    }
}
