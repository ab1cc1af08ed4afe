import ArgumentParser
import Logging
import StickerConfiguration
import StickerValues
import Testing

@testable import StickerProgram

struct InvocationTests {
    private let start = Invocation(of: "test", config: "/nowhere/config.json", level: .critical)

    private func fault(mayPass: Bool) -> ConfigurationError {
        ConfigurationError(
            faults: [JSONFault(path: "out", message: "is not a path")], mayPass: mayPass)
    }

    @Test func exitCodesAreThoseOfTheManual() {
        #expect(start.failure(fault(mayPass: false)) == ExitCode(78))
        #expect(start.failure(fault(mayPass: true)) == ExitCode(1))
        #expect(start.failure(CancellationError()) == ExitCode(1))
        #expect(start.failure(CancellationError(), isFinal: true) == ExitCode(78))
        #expect(start.failure(ExitCode(3)) == ExitCode(3))
    }

    @Test func namedConfigurationMustExist() {
        #expect(throws: ConfigurationError.self) { try start.configuration() }
        #expect(throws: ConfigurationError.self) { try start.configuration(at: "/nowhere/other") }
    }
}
