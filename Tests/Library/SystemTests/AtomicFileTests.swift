import Foundation
import Glibc
import StickerSystem
import StickerTestSupport
import Testing

struct AtomicFileTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private var names: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: folder.path("")) }
    }

    @Test func newFileIsForItsOwnerAlone() throws {
        let path = folder.path("report")

        try AtomicFile.create(path) { try $0.writeAll(Array("text".utf8), path: path) }

        var status = Glibc.stat()
        #expect(stat(path, &status) == 0 && status.st_mode & 0o7777 == 0o600)
        #expect(try Data(contentsOf: URL(filePath: path)) == Data("text".utf8))
        #expect(try names == ["report"])
    }

    @Test func whatIsThereStays() throws {
        let path = try folder.write(Array("old".utf8), to: "report")

        let error = #expect(throws: FileError.self) {
            try AtomicFile.create(path) { try $0.writeAll(Array("new".utf8), path: path) }
        }

        #expect(error?.errno == EEXIST)
        #expect(try Data(contentsOf: URL(filePath: path)) == Data("old".utf8))
        #expect(try names == ["report"])
    }

    @Test func nothingIsLeftOfWhatCouldNotBeWritten() throws {
        #expect(throws: CocoaError.self) {
            try AtomicFile.create(folder.path("report")) { _ in throw CocoaError(.fileWriteUnknown)
            }
        }

        #expect(try names == [])
    }

    @Test func tableOfMountsTellsTheKindOfFileSystem() {
        let table = MountTable(
            text: """
                22 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw
                30 22 0:30 / /srv/art ro,nosuid - cifs //ann:secret@nas/art rw
                """)

        #expect(table.mount(of: "/srv/art/cats")?.kind == "cifs")
        #expect(table.mount(of: "/srv/art/cats")?.isReadOnly == true)
        #expect(table.mount(of: "/srv")?.kind == "ext4")
        #expect(table.mount(of: "/srv")?.isReadOnly == false)
    }
}
