import Testing

@testable import stickerd_bench

struct FiguresTests {
    @Test func medianAndPercentilesLieBetweenNeighbours() {
        let figures = Figures([4, 1, 3, 2])

        #expect(figures.median == 2.5 && figures.mean == 2.5)
        #expect(figures.percentile(0) == 1 && figures.percentile(100) == 4)
        #expect(abs(figures.percentile(90) - 3.7) < 1e-9)
    }

    @Test func nothingMeasuredIsNoNumber() {
        #expect(Figures([]).median.isNaN && Figures([]).shownWithSpread == "-")
    }

    @Test(arguments: [
        (0.0, 2, "0.00"), (1.005, 1, "1.0"), (-0.26, 1, "-0.3"), (-0.01, 1, "0.0"),
        (1234.5678, 0, "1235"), (9.999, 2, "10.00"),
    ])
    func numbersAreRoundedForPeople(number: Double, decimals: Int, shown: String) {
        #expect(number.shown(decimals) == shown)
    }

    @Test func spreadIsShownWhereThereAreSeveralRounds() {
        #expect(Figures([0.4]).shownWithSpread == "0.40")
        #expect(Figures([0.5, 0.4, 0.42]).shownWithSpread == "0.42 (0.40-0.50)")
    }
}
