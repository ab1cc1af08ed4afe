import CLinux
import Foundation
import Glibc
import StickerConfiguration
import StickerTestSupport
import StickerValues
import Testing

@testable import StickerWorkers

/// Workers that are copies of a process; `MakingContractTests` and `HostileWorkerTests` show what they make and how they
/// end.
struct ForkServerTests {
    private let program = Built.path("stickerd-worker")

    @Test func copyIsAChildOfTheOwner() throws {
        let maker = WorkerMaking.copying(program)
        let server = try #require(maker.servers?.server(of: program))
        let errors = try MemoryFile([], isSealed: false)
        let descriptors = [Int32](repeating: errors.descriptor, count: Int(WorkerDescriptor.count))

        let worker = try #require(try server.start(["no", "such", "command"], descriptors))
        let (status, _) = WorkerProcess.end(worker, kill: false)

        #expect(status >> 8 == WorkerExit.otherRelease)
        let words = String(decoding: try errors.bytes(count: 300), as: UTF8.self)
        #expect(words.contains("the command line of its own release"))
    }

    @Test func firstPictureNeedsNoServer() throws {
        let maker = WorkerMaking(program: program, forks: true) { .init() }

        let server = try #require(maker.servers?.server(of: program))

        #expect(throws: Never.self) { try make(maker).result.get() }
        #expect(!server.isStarted)
        #expect(throws: Never.self) { try make(maker).result.get() }

        #expect(server.isStarted)
        #expect(maker.awaitServer(of: program) != nil)
    }

    /// By the kernel or an operator: the next picture is made by a program that is started.
    @Test func serverThatEndedHoldsNothingUp() async throws {
        let maker = WorkerMaking.copying(program)
        let server = try #require(maker.servers?.server(of: program)?.process)
        #expect(kill(server, SIGKILL) == 0)
        let hasEnded = await waitUntil { clinux_process_state(server) == CChar(UInt8(ascii: "Z")) }
        #expect(hasEnded)

        for _ in 1...3 { #expect(throws: Never.self) { try make(maker).result.get() } }
    }

    /// It may have sent the addresses that all copies share.
    @Test func crashOfACopyEndsItsServer() throws {
        let hostile = Built.path("hostile-worker")
        let maker = WorkerMaking.copying(hostile)
        let server = try #require(maker.servers?.server(of: hostile)?.process)

        let report = maker.make(
            SourceBytes(Array("null".utf8)), recipe: Recipe(settings: StickerSettings()),
            limits: DecodeLimits())

        #expect(report.workerRefusal?.reason == .decoderCrashed)
        #expect(maker.awaitServer(of: hostile, after: server) != nil)
        #expect(kill(server, 0) == -1)
    }

    /// It may have been taken over, and failed at what it wanted.
    @Test func copyThatLiesEndsItsServer() throws {
        let hostile = Built.path("hostile-worker")
        let maker = WorkerMaking.copying(hostile)
        let server = try #require(maker.servers?.server(of: hostile)?.process)

        _ = maker.make(
            SourceBytes(Array("not-json".utf8)), recipe: Recipe(settings: StickerSettings()),
            limits: DecodeLimits())

        #expect(maker.awaitServer(of: hostile, after: server) != nil)
    }

    /// A copy would lack them.
    @Test func processWithThreadsIsNotCopied() {
        #expect(clinux_fork_sibling() == -1 && errno == EBUSY)
    }

    /// A library of another release might start one: pictures are made by programs that are started.
    @Test func serverWithThreadsHoldsNothingUp() throws {
        let folder = try TemporaryFolder()
        let program = folder.path("with-threads")
        try FileManager.default.createSymbolicLink(
            atPath: program, withDestinationPath: Built.path("hostile-worker"))
        let maker = WorkerMaking.copying(program)

        let report = maker.make(
            SourceBytes(Array("exit-1".utf8)), recipe: Recipe(settings: StickerSettings()),
            limits: DecodeLimits())

        #expect(report.workerRefusal?.detail.contains("code 1") == true)
        #expect(maker.servers?.server(of: program)?.isStarted == false)
    }

    @Test func programsWhoseLibrariesStartThreadsHaveNone() {
        let servers = ForkServers(beside: program)

        for (format, isCopied) in [(ImageFormat.png, true), (.avif, true), (.heic, false)] {
            let path = WorkerProgram.path(program, for: format)
            #expect((servers.server(of: path) != nil) == isCopied, "\(format)")
        }
    }

    private func make(_ maker: WorkerMaking) throws -> MakeReport {
        maker.make(
            try Art.still(), recipe: Recipe(settings: StickerSettings()), limits: DecodeLimits())
    }
}
