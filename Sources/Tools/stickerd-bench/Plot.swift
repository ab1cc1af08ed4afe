import Glibc

/// Score against CPU time as SVG: a dot at the medians, and a line from it to the 10th percentile of scores.
struct Plot {
    private static let size = (width: 760.0, height: 460.0)
    private static let frame = (left: 60.0, top: 20.0, right: 740.0, bottom: 410.0)

    private let contenders: [StillContender]

    /// Leaves out contenders without figures.
    init(contenders: [StillContender]) {
        self.contenders = contenders.filter { !$0.costs.isEmpty && !$0.scores.isEmpty }
    }

    private var costs: ClosedRange<Double> {
        let all = contenders.map(\.costs.median)
        return (all.min() ?? 10) / 1.6...(all.max() ?? 100) * 1.9
    }

    private var scores: ClosedRange<Double> {
        let lowest = contenders.map { $0.scores.percentile(10) }.min() ?? 0
        return max(0, (lowest / 10).rounded(.down) * 10)...100
    }

    /// The whole file.
    var svg: String {
        let (width, height) = (Int(Self.size.width), Int(Self.size.height))
        var lines = [
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 \(width) \(height)\" "
                + "font-family=\"sans-serif\" font-size=\"12\">",
            "<rect width=\"\(width)\" height=\"\(height)\" fill=\"#fff\"/>",
        ]
        lines += gridOfScores + gridOfCosts
        lines += contenders.enumerated().flatMap { dot($0.element, $0.offset == 0) }
        lines += [
            text(400, 450, "CPU time of one sticker, ms (median; logarithmic)", "middle"),
            "<text transform=\"translate(18 215) rotate(-90)\" text-anchor=\"middle\">"
                + "score (median, and down to the 10th percentile)</text>", "</svg>",
        ]
        return lines.joined(separator: "\n") + "\n"
    }

    private var gridOfScores: [String] {
        stride(from: scores.lowerBound, through: 100, by: 10).flatMap { score in
            [
                line(Self.frame.left, y(score), Self.frame.right, y(score), "#ddd"),
                text(Self.frame.left - 6, y(score) + 4, score.shown(0), "end"),
            ]
        }
    }

    private var gridOfCosts: [String] {
        [10, 20, 50, 100, 200, 500, 1000, 2000, 5000].filter(costs.contains).flatMap { cost in
            [
                line(x(cost), Self.frame.top, x(cost), Self.frame.bottom, "#ddd"),
                text(x(cost), Self.frame.bottom + 16, cost.shown(0), "middle"),
            ]
        }
    }

    private func dot(_ row: StillContender, _ isOwn: Bool) -> [String] {
        let color = isOwn ? "#c03030" : "#3060a0"
        let (x, y) = (x(row.costs.median), y(row.scores.median))
        return [
            line(x, self.y(row.scores.percentile(10)), x, y, color),
            "<circle cx=\"\(x.shown(1))\" cy=\"\(y.shown(1))\" r=\"5\" fill=\"\(color)\"/>",
            text(x + 8, y + 4, row.name, "start"),
        ]
    }

    private func x(_ cost: Double) -> Double {
        let part = log(cost / costs.lowerBound) / log(costs.upperBound / costs.lowerBound)
        return Self.frame.left + part * (Self.frame.right - Self.frame.left)
    }

    private func y(_ score: Double) -> Double {
        let part = (score - scores.lowerBound) / (scores.upperBound - scores.lowerBound)
        return Self.frame.bottom - max(0, part) * (Self.frame.bottom - Self.frame.top)
    }

    private func line(
        _ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double, _ color: String
    ) -> String {
        "<line x1=\"\(x1.shown(1))\" y1=\"\(y1.shown(1))\" x2=\"\(x2.shown(1))\" "
            + "y2=\"\(y2.shown(1))\" stroke=\"\(color)\"/>"
    }

    private func text(_ x: Double, _ y: Double, _ text: String, _ anchor: String) -> String {
        "<text x=\"\(x.shown(1))\" y=\"\(y.shown(1))\" text-anchor=\"\(anchor)\">\(text)</text>"
    }
}
