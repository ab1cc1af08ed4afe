import Glibc
import StickerSystem
import Testing

struct FileErrorTests {
    @Test(arguments: [
        (ENOSPC, FileError.Kind.noSpace), (EDQUOT, .noSpace), (EROFS, .readOnly),
        (EACCES, .readOnly), (EMFILE, .descriptors), (EIO, .io), (ESTALE, .io),
        (ENOENT, .vanished), (EINVAL, .other),
    ])
    func errorsAreSorted(_ errno: Int32, _ kind: FileError.Kind) {
        #expect(FileError(call: "write", path: "a", errno: errno).kind == kind)
    }

    @Test func messageNamesCallPathReasonAndRemedy() {
        let error = FileError(call: "rename", path: "/out/a", errno: ENOSPC)

        #expect(
            error.description
                == "rename /out/a: No space left on device; free some space or inodes")
    }
}
