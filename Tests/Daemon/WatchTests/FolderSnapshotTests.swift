import Glibc
import StickerValues
import Testing

@testable import StickerSystem
@testable import StickerWatch

@Suite struct FolderSnapshotTests {
    /// Entries as `name:size`, folders as `name/inode`.
    private func snapshot(_ entries: [String]) -> FolderSnapshot {
        var snapshot = FolderSnapshot()
        for entry in entries {
            let isFolder = entry.contains("/")
            let parts = entry.split { $0 == ":" || $0 == "/" }
            var status = stat()
            status.st_mode = isFolder ? S_IFDIR : S_IFREG
            if isFolder { status.st_ino = ino_t(parts[1]) ?? 0 }
            status.st_size = isFolder ? off_t.random(in: 0...9) : off_t(parts[1]) ?? 0
            snapshot.append(Array(parts[0].utf8), FileStatus(status))
        }
        snapshot.sort()
        return snapshot
    }

    @Test(
        arguments: [
            ([], [], []),
            (["a:1"], ["a:1"], []),
            ([], ["b:1", "a:1"], ["+a", "+b"]),
            (["b:1", "a:1"], [], ["-a", "-b"]),
            (["a:1", "c:1"], ["b:1", "c:2"], ["-a", "+b", "~c"]),
            (["a:1", "aa:1"], ["aa:1"], ["-a"]),
            (["d/1"], ["d/1"], []),
            (["d/1"], ["d/2"], ["-d/", "+d/"]),
            (["d/1"], ["d:1"], ["-d/", "+d"]),
            (["d:1", "x:1"], ["d/1", "x:1"], ["-d", "+d/"]),
        ] as [([String], [String], [String])])
    func differences(_ old: [String], _ new: [String], _ expected: [String]) {
        var found: [String] = []

        snapshot(new).differences(since: snapshot(old)) { difference in
            let sign =
                switch difference.change {
                case .created: "+"
                case .gone: "-"
                default: "~"
                }
            let name = String(decoding: difference.name, as: UTF8.self)
            found.append(sign + name + (difference.isDirectory ? "/" : ""))
        }

        #expect(found == expected)
    }
}

@Suite struct FileSystemKindTests {
    @Test(
        arguments: [
            (0xEF53, .local), (0x5846_5342, .local), (0x0102_1994, .local), (0x9123_683E, .local),
            (0x6969, .remote), (0xFF53_4D42, .remote), (0xFE53_4D42, .remote),
            (0x6573_5546, .remote), (0x0102_1997, .remote), (0x794C_7630, .overlay),
        ] as [(UInt32, FileSystemKind)])
    func kindOfMagic(_ magic: UInt32, _ kind: FileSystemKind) {
        #expect(FileSystemKind.of(magic: magic) == kind)
    }
}
