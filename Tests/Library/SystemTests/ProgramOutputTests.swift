import Testing

@testable import StickerSystem

struct ProgramOutputTests {
    @Test func outputAndErrorsAreTaken() throws {
        let output = try #require(ProgramOutput("sh", ["-c", "echo out; echo error >&2; exit 3"]))

        #expect(output == ProgramOutput("sh", ["-c", "echo out; echo error; exit 3"]))
        #expect(output.text == "out\nerror\n")
        #expect(output.code == 3 && !output.isCut)
    }

    @Test func programHasNeitherInputNorEnvironment() throws {
        let output = try #require(ProgramOutput("sh", ["-c", "cat; /usr/bin/env | grep HOME"]))

        #expect(output.text == "" && output.code == 1)
    }

    @Test func tooMuchOutputAndTooMuchTimeEndIt() throws {
        let much = try #require(ProgramOutput("yes", [], bytesMax: 1000))
        let slow = try #require(ProgramOutput("sleep", ["1000"], milliseconds: 1))

        #expect(much.text.utf8.count == 1000 && much.isCut && much.code == nil)
        #expect(slow.text == "" && !slow.isCut && slow.code == nil)
    }

    @Test func missingProgramHasNoOutput() {
        #expect(ProgramOutput("no-such-program", []) == nil)
        #expect(ProgramOutput("../../tmp/program", []) == nil)
    }
}
