import StickerConfiguration
import StickerValues
import Synchronization

/// The texts of marks drawn so far, so that each is drawn once and not for every picture.
final class DrawnTexts: Sendable {
    /// Looks of categories come and go; a forgotten text is drawn again.
    private static let countMax = 256

    private let worker: String
    private let texts = Mutex<[MarkText: DrawnText]>([:])

    /// Draws with the program beside the one at this path.
    init(beside worker: String) { self.worker = worker }

    /// Gives the texts among `marks` their pixels.
    ///
    /// - Throws: `TextMaking.Faults`, with the indices of marks, or `WorkerUnavailable`.
    func draw(
        _ marks: inout [Watermark], by configuration: WorkerConfiguration, _ limits: DecodeLimits
    ) throws {
        let wanted = marks.enumerated().compactMap { index, mark -> (index: Int, text: MarkText)? in
            if case .text(let text, nil) = mark.content { (index, text) } else { nil }
        }
        guard !wanted.isEmpty else { return }
        let drawn = try texts.withLock { known in
            // Other threads that need the same text wait for it.
            let missing = wanted.filter { known[$0.text] == nil }
            if known.count + missing.count > Self.countMax {
                let texts = Set(wanted.map(\.text))
                known = known.filter { texts.contains($0.key) }
            }
            let new = try missing.isEmpty ? [] : draw(missing, configuration, limits)
            for (text, drawn) in zip(missing.map(\.text), new) { known[text] = drawn }
            return known
        }
        for (index, text) in wanted { marks[index].content = .text(text, drawn[text]) }
    }

    /// Forgets all others, so that memory is bounded by what one configuration may have.
    func keep(_ wanted: Set<MarkText>) {
        texts.withLock { known in known = known.filter { wanted.contains($0.key) } }
    }

    /// Forgets texts with characters that no font had, so that they are drawn with fonts added meanwhile.
    func forgetUnknown() {
        texts.withLock { known in known = known.filter { $0.value.unknown == nil } }
    }

    private func draw(
        _ missing: [(index: Int, text: MarkText)], _ configuration: WorkerConfiguration,
        _ limits: DecodeLimits
    ) throws -> [DrawnText] {
        let making = TextMaking(
            program: try .find(beside: worker), worker: configuration, limits: limits)
        do {
            return try making.draw(missing.map(\.text))
        } catch let faults as TextMaking.Faults {
            throw TextMaking.Faults(
                faults: faults.faults.map {
                    .init(index: missing[$0.index].index, message: $0.message)
                })
        }
    }
}
