import ArgumentParser
import StickerStore
import StickerValues

/// `stickerctl new-id`: gives a sticker another id.
struct NewIDCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "new-id", abstract: "Gives a sticker a new id, made from its file's name.",
        discussion: """
            The old id is listed as removed for ever: documents that use it lose the sticker. \
            Nothing is encoded.
            """)

    @OptionGroup var shared: SharedOptions

    @Argument(help: "A sticker, by id, or its file.")
    var sticker: String

    func run() throws {
        let store = try shared.openStore(.tool)
        try tell(store.operations.giveNewID(to: store.known(sticker)), sticker)
    }
}

/// `stickerctl adopt`: gives a sticker the id of one that was removed.
struct AdoptCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "adopt", abstract: "Gives a sticker the id of one that was removed.",
        discussion: """
            For art that takes the place of a removed sticker: documents with the removed id show \
            this sticker from then on. Its own id is listed as removed for ever. Nothing is \
            encoded.
            """)

    @OptionGroup var shared: SharedOptions

    @Argument(help: "The id of a removed sticker.")
    var removed: String

    @Argument(help: "The sticker that gets it, by id, or its file.")
    var sticker: String

    func run() throws {
        let store = try shared.openStore(.tool)
        let id = StickerID(rawValue: removed)
        try tell(store.operations.pass(id, to: store.known(sticker)), sticker, removed)
    }
}

private func tell(_ passed: PassedID, _ name: String, _ removed: String = "") throws {
    switch passed {
    case .passed(let id, let category):
        return print("\(FileName.escaped(name)) is \(id) in \(category) now")
    case .unknown:
        complain(
            "\(FileName.escaped(name)): there is no published sticker with a file of that name")
    case .shipped:
        complain(
            "stickers that come with stickerd keep their ids; for your own sticker, copy the "
                + "template into a category")
    case .taken:
        complain(
            "\(FileName.escaped(removed)) is not the id of a removed sticker; _removed.json, where stickers are published, lists those"
        )
    }
    throw ExitCode(1)
}
