import StickerValues
import Testing

struct FitRecordTests {
    @Test func attemptsNameWhatTheyAre() {
        let attempts = [
            FitRecord.Attempt(.lossy, quality: 82.5, alphaQuality: 50, bytes: 9000, score: 91.25),
            FitRecord.Attempt(.palette, quality: 255, frames: 9, bytes: 9000, format: .gif),
            FitRecord.Attempt(.palette, quality: 32_768, frames: 9, bytes: 9000, format: .png),
            FitRecord.Attempt(.palette, quality: 64, bytes: 9000, format: .png),
            FitRecord.Attempt(.lossless, quality: 3, bytes: 9000),
        ]

        #expect(
            attempts.map(\.description) == [
                "lossy q=82.5 alpha=50 9,000 B score 91.25",
                "gif palette of 255 colours 9 frames 9,000 B",
                "apng palette of 32,768 colours 9 frames 9,000 B",
                "png palette of 64 colours 9,000 B",
                "lossless level 3 9,000 B",
            ])
    }

    @Test func guessedSizeIsToldFromAMeasuredOne() {
        let guess = FitRecord.Attempt(
            .lossless, quality: nil, frames: 9, bytes: 330_000, isGuess: true, format: .png)

        #expect(guess.description == "apng lossless 9 frames given up, about 330,000 B")
    }
}
