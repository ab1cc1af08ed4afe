import Glibc

/// How the averages of all maps become a score.
enum ScoreFormula {
    /// The weights of the maps of one channel at one scale.
    struct Weights {
        var channel: OpponentChannel
        var averages: MapAverages
    }

    /// The channels that count at the full size, at half of it, a quarter, and so on.
    static let scales: [[Weights]] = [
        [Weights(.brightness, structurePeak: 7.24, lostDetailPeak: 17.79)],
        [
            Weights(.brightness, structurePeak: 6.89),
            Weights(.redGreen, structurePeak: 1.29),
        ],
        [
            Weights(.brightness, structure: 229.96, structurePeak: 17.44),
            Weights(.redGreen, structurePeak: 1.52, artifactPeak: 11.16),
        ],
        [
            Weights(.brightness, structure: 169.09, structurePeak: 21.68),
            Weights(.redGreen, structurePeak: 1.71, artifactPeak: 12.23),
            Weights(.blueYellow, structurePeak: 8.94, artifactPeak: 24.67),
        ],
        [
            Weights(.brightness, structurePeak: 42.17, artifactPeak: 36.17),
            Weights(.blueYellow, structure: 91.54, artifactPeak: 176.36),
        ],
    ]

    /// The score, 0...100, of finished comparisons in the order of `scales`, or of the first few of them.
    ///
    /// The curve from penalties to scores is SSIMULACRA2's.
    static func score(_ comparisons: [[ChannelComparison]]) -> Double {
        var penalty = 0.0
        for (weights, comparisons) in zip(scales, comparisons) {
            for (weight, comparison) in zip(weights, comparisons) {
                penalty += comparison.averages.weighted(by: weight.averages)
            }
        }
        return score(penalty: penalty * 0.956_238_261_683_484_4)
    }

    private static func score(penalty: Double) -> Double {
        let linear = 2.326_765_642_916_932 * penalty
        let square = 0.020_884_521_182_843_837 * penalty * penalty
        let cube = 6.248_496_625_763_138e-05 * penalty * penalty * penalty
        return max(0, 100 - 10 * pow(linear - square + cube, 0.627_633_646_783_138_7))
    }
}

extension ScoreFormula.Weights {
    fileprivate init(
        _ channel: OpponentChannel, structure: Double = 0, structurePeak: Double = 0,
        artifactPeak: Double = 0, lostDetailPeak: Double = 0
    ) {
        self.channel = channel
        averages = MapAverages(
            structure: structure, structurePeak: structurePeak, artifactPeak: artifactPeak,
            lostDetailPeak: lostDetailPeak)
    }
}
