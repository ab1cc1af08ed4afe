import StickerConfiguration
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
            var (words, faults) = try file.reading(
                of: source.withUnsafeBytes { Array($0) }, by: attempt.configuration.lookRules)
            if let outcome = checkMarks(of: &words, &faults) { return outcome }
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

    /// Drops the marks of a look that cannot be drawn: its former ones count.
    ///
    /// - Returns: an outcome if that cannot be found out now.
    private func checkMarks(
        of words: inout SideFileWords, _ faults: inout SideFileError?
    ) -> JobOutcome? {
        guard let look = words.category.look, look.watermarks?.isEmpty == false else { return nil }
        var category = attempt.job.categoryNames
        category.look = look
        do {
            let found = try attempt.tools.marksFaults(attempt.configuration, category)
            if !found.isEmpty { words.dropMarks(found, &faults) }
            return nil
        } catch {
            return .released("the marks of its look cannot be tested: \(error)")
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
