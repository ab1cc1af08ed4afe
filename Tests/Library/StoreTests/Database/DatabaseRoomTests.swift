import GRDB
import Glibc
import Testing

@testable import StickerStore

struct DatabaseRoomTests {
    @Test func onlyAFullDiskOfSmallBlocksIsTooTight() {
        #expect(!DatabaseRoom.isEnough(freeBytes: 0, blockBytes: 1024))
        #expect(DatabaseRoom.isEnough(freeBytes: 1_000_000, blockBytes: 1024))
        #expect(DatabaseRoom.isEnough(freeBytes: 0, blockBytes: Int(getpagesize())))
    }

    @Test func fullDiskNamesTheWayOut() {
        let error = StoreError(DatabaseError(resultCode: .SQLITE_FULL), path: "state/db")

        #expect(error.kind == .passing)
        #expect(error.description.hasSuffix("; free some space"))
    }
}
