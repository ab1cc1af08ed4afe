import StickerValues

/// How pixels get their indices.
enum GIFBrush {
    /// Every colour has its place.
    case exact(FrameColorTable)
    /// Colours are approximated, or mixed from two.
    case mixed(ColorMixer)
}

/// Chooses the colour table of each frame: the shared one as long as it suits, otherwise one of its own.
struct GIFColorPlan {
    /// The colours that a frame is drawn with.
    struct Choice {
        var brush: GIFBrush
        var colors: [UInt32]
        var isShared: Bool
    }

    /// The colours of the table that frames share; it may still grow.
    private(set) var shared: [UInt32] = []
    private var exact: FrameColorTable
    private var mixer: ColorMixer?

    /// Creates a plan for frames of up to `colorsMax` colours each.
    init(colorsMax: Int) { exact = FrameColorTable(countMax: colorsMax) }

    /// Chooses colours for the pixels of `area` that get another one.
    mutating func choose(for stage: GIFStage, _ area: PixelRectangle) -> Choice {
        if let few = fewColors(stage, area) { return choose(exactly: few) }
        let cells = ColorHistogram(stage, area).cells
        if let mixer, mixer.serves(cells) { return choice(mixer) }
        let mixer = ColorMixer(
            colors: ColorCut.palette(of: cells, countMax: exact.countMax), for: cells)
        self.mixer = mixer
        if shared.isEmpty { shared = mixer.colors }
        return choice(mixer)
    }

    private func choice(_ mixer: ColorMixer) -> Choice {
        Choice(brush: .mixed(mixer), colors: mixer.colors, isShared: mixer.colors == shared)
    }

    /// Adds the colours to the shared table if it holds exact ones and has room.
    private mutating func choose(exactly few: FrameColorTable) -> Choice {
        guard shared == exact.colors, exact.insert(all: few.colors) else {
            return Choice(brush: .exact(few), colors: few.colors, isShared: false)
        }
        shared = exact.colors
        return Choice(brush: .exact(exact), colors: shared, isShared: true)
    }

    /// The colours of a frame; `nil` if there are more than a table holds.
    private func fewColors(_ stage: GIFStage, _ area: PixelRectangle) -> FrameColorTable? {
        var table = FrameColorTable(countMax: exact.countMax)
        var last: UInt32 = 0
        var fits = true
        stage.forEachDrawn(in: area) { color in
            guard color != last else { return true }
            last = color
            fits = table.insert(color)
            return fits
        }
        return fits ? table : nil
    }
}
