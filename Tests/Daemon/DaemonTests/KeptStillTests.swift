import StickerConfiguration
import StickerStore
import StickerValues
import Testing

@testable import StickerDaemon

/// The sticker of an animated PNG stays as it is until its bytes change or an operator names it.
struct KeptStillTests {
    /// A library with a still that has no file for Discord.
    private func workshop() throws -> Workshop {
        let workshop = try Workshop { $0.sticker.targets = ["whatsapp", "discord"] }
        workshop.maker.makeNothing(for: "discord")
        try workshop.drop("cats/a.png", "a cat")
        _ = try workshop.work()
        return workshop
    }

    @Test func pictureThatIsNewIsDrawnAsItIs() throws {
        #expect(try workshop().maker.recipes.map(\.drawsStill) == [false])
    }

    @Test func renewalOfItsOwnKeepsTheStill() throws {
        let workshop = try workshop()

        try workshop.store.operations.renewShortfalls(of: [.willNotFit])
        _ = try workshop.work()

        #expect(workshop.maker.recipes.map(\.drawsStill) == [false, true])
    }

    @Test func renewalThatWasRequestedDoesNot() throws {
        let workshop = try workshop()

        _ = try workshop.store.operations.renew("cats/a.png")
        _ = try workshop.work()

        #expect(workshop.maker.recipes.map(\.drawsStill) == [false, false])
    }

    @Test func otherBytesAreDrawnAsTheyAre() throws {
        let workshop = try workshop()

        try workshop.drop("cats/a.png", "another cat")
        _ = try workshop.work()

        #expect(workshop.maker.recipes.map(\.drawsStill) == [false, false])
    }

    @Test func animationIsNoStill() throws {
        let workshop = try Workshop { $0.sticker.targets = ["whatsapp", "discord"] }
        workshop.maker.moves()
        try workshop.drop("cats/a.png", "a cat")
        _ = try workshop.work()

        try workshop.drop("cats/copy.png", "a cat")
        _ = try workshop.store.operations.renew("cats/a.png")
        _ = try workshop.work()

        #expect(workshop.maker.recipes.allSatisfy { !$0.drawsStill })
    }
}
