import StickerContainers
import StickerStore
import StickerValues

/// Notes the words of a side file.
struct WordsJob {
    let attempt: JobAttempt
    let file: SideFile
    let source: SourceBytes
    let content: ContentHash

    private var steps: JobSteps { attempt.steps }
    private var catalog: Catalog { attempt.tools.store.catalog }

    func outcome() -> JobOutcome {
        let start = steps.now
        do throws(SideFileError) {
            let (words, faults) = try file.reading(of: source.withUnsafeBytes { Array($0) })
            if let faults {
                steps.note(faults, since: start)
            } else {
                steps.note("words", since: start, "understood")
            }
            return note(words, faults)
        } catch {
            if let refusal = Refusal.notWords(source, attempt.job.source) {
                steps.note("words", since: start, refusal.detail)
                return .refused(refusal, content: content)
            }
            steps.note(error, since: start)
            return .refused(error.refusal, content: content)
        }
    }

    private func note(_ words: SideFileWords, _ faults: SideFileError?) -> JobOutcome {
        let start = steps.now
        do throws(StoreError) {
            guard let changed = try catalog.note(words, mending: faults, of: attempt.job)
            else {
                return .released("it is gone, or has changed")
            }
            steps.note(
                "note", since: start,
                changed.isEmpty ? "no manifest changes" : "its manifest changes")
            if file == .category { warn(ofAbsent: words.stickers.keys.sorted()) }
            return .said(changed: changed, faults: faults, content: content)
        } catch {
            return .released("\(error)")
        }
    }

    /// Warns of pictures that a file names and that do not exist. They may still arrive.
    private func warn(ofAbsent paths: [String]) {
        // A failure here is not worth an error.
        let absent = try? catalog.absentPictures(paths, of: attempt.job.category)
        guard let absent, !absent.isEmpty else { return }
        let names = absent.prefix(3).map(FileName.escaped).joined(separator: ", ")
        let more = absent.count > 3 ? " and \((absent.count - 3).grouped) more" : ""
        steps.warn(
            "absent-pictures",
            "it names \(names)\(more), not there when it was read; that counts once they are")
    }
}
