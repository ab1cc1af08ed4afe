import Foundation
import GRDB
import StickerConfiguration
import StickerTestSupport
import StickerValues

@testable import StickerStore

extension Library {
    /// The file of the library's database.
    var database: String { folder.file("jobs.sqlite") }

    /// Puts the database of a library that release 0.4.0 made in the place of this one's. Its drop is `oldDrop`.
    func takeRelease04() throws {
        try store.close()
        try FileManager.default.removeItem(atPath: database)
        let fixture = "Tests/EndToEndTests/Fixtures/library-0.4.0/state/stickerd.sqlite"
        try FileManager.default.copyItem(atPath: Repository.path(fixture), toPath: database)
    }

    static let oldDrop = "/library/drop"

    /// Drops a file into the old drop and makes its sticker.
    func makeThere(_ path: String, _ content: Int) throws {
        var seen = sighting(path, Int64(content))
        seen.key.drop = Self.oldDrop
        try accept(seen)
        time.advance(.seconds(2))
        for job in try claim(9) {
            try finish(job, .made(product(content), content: hash(content)))
        }
    }

    /// Changes the rows of this release's database as they may be after something happened.
    func change(_ statements: String...) throws {
        try store.write { transaction in
            for statement in statements { try transaction.run(statement) }
        }
    }

    /// Goes back to the release before; the store is closed.
    func goBack(trace: (@Sendable (String) -> Void)? = nil) throws -> Rollback.Outcome? {
        try store.close()
        return try rollback(trace: trace).run()
    }

    func rollback(trace: (@Sendable (String) -> Void)? = nil) -> Rollback {
        var configuration = StickerConfiguration.Configuration()
        configuration.state = folder.path
        configuration.out = out
        configuration.drops = [DropFolder(path: Self.oldDrop)]
        return Rollback(of: configuration, path: database, clock: time.clock, trace: trace)
    }

    /// The first column of a query to a database of any release.
    func ask(_ sql: String, of path: String? = nil) throws -> [String] {
        var configuration = GRDB.Configuration()
        configuration.readonly = true
        let queue = try DatabaseQueue(path: path ?? database, configuration: configuration)
        defer { try? queue.close() }
        return try queue.read { try Row.fetchAll($0, sql: sql) }.map { row in
            row.databaseValues.map {
                $0.isNull
                    ? "-"
                    : String.fromDatabaseValue($0) ?? Int.fromDatabaseValue($0).map { "\($0)" }
                        ?? ""
            }
            .joined(separator: " ")
        }
    }
}
