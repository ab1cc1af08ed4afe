import ArgumentParser
import StickerModel
import StickerStore

/// `stickerctl check`: every fault of the configuration at once.
struct CheckCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check", abstract: "Checks the configuration and the folders it names.")

    @OptionGroup var shared: SharedOptions

    func run() throws {
        let file = try shared.load()
        do {
            try Folders.check(file.configuration)
        } catch {
            complain("\(error)")
            throw ExitCode(1)
        }
        print("\(file.origin): fine")
        for drop in file.configuration.drops { print("  drop   \(FileName.escaped(drop))") }
        print("  out    \(FileName.escaped(file.configuration.out))")
        print("  state  \(FileName.escaped(file.configuration.state))")
    }
}
