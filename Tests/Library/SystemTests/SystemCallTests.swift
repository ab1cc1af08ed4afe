import Glibc
import StickerTestSupport
import Testing

@testable import StickerSystem

struct SystemCallTests {
    @Test func interruptedCallIsRepeated() throws {
        var calls = 0

        let result = SystemCall.retrying { () -> Int32 in
            calls += 1
            errno = EINTR
            return calls < 3 ? -1 : 7
        }

        #expect(result == 7 && calls == 3)
    }

    @Test func failedCallThrowsItsNumber() {
        let error = #expect(throws: FileError.self) {
            try SystemCall.run("read", "a") { () -> Int in
                errno = EIO
                return -1
            }
        }

        #expect(error == FileError(call: "read", path: "a", errno: EIO))
    }

    @Test(arguments: [
        ("/a/b", "/a"), ("/a", "/"), ("/", "/"), ("a/b/", "a"), ("a", "."),
    ])
    func parentFolder(_ path: String, _ parent: String) {
        #expect(SystemCall.parentFolder(of: path) == parent)
    }

    @Test func freeSpaceIsKnown() throws {
        let folder = try TemporaryFolder()

        #expect(try FreeSpace.bytes(at: folder.path) > 0)
        #expect(throws: FileError.self) { try FreeSpace.bytes(at: folder.path("none")) }
    }

    @Test func mountsAreFoundByTheirPlace() {
        let table = MountTable(
            text: """
                1 0 8:1 / / rw - ext4 /dev/sda rw
                2 1 8:2 /data /mnt/with\\040blank rw - ext4 /dev/sdb rw
                """)

        #expect(table.spot(of: "/home/a") == .init(device: "8:1", path: "/home/a"))
        #expect(table.spot(of: "/mnt/with blank/a") == .init(device: "8:2", path: "/data/a"))
        #expect(table.mounts(below: "/mnt").map(\.id) == ["2"])
    }
}
