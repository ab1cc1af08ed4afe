import Foundation
import StickerConfiguration
import StickerContainers
import StickerSmart
import StickerStore
import StickerSystem
import StickerValues

/// Fills in a template with its current values, and makes the sticker of its drawings.
struct TemplateJob {
    let attempt: JobAttempt
    let source: SourceBytes
    let content: ContentHash

    private var steps: JobSteps { attempt.steps }

    func outcome() -> JobOutcome {
        let start = steps.now
        do {
            let template = try SmartTemplate(source.withUnsafeBytes { Array($0) })
            let weather = template.needsWeather ? attempt.tools.weather() : nil
            guard weather != nil || !template.needsWeather else {
                steps.note("fill", since: start, "the weather is not known")
                // The published sticker stays until an editor has seen the new template.
                if try attempt.isHeld(content) {
                    return .refused(.inReview(attempt.job), content: content)
                }
                return .withdrawn(.unknownWeather)
            }
            let settings = attempt.configuration.settings(of: attempt.job.categoryNames)
            let place = try SmartPlace(orInEnglish: settings.smart)
            let moment = SmartMoment(attempt.tools.date(), at: place, weather: weather)
            let filling = TemplateFilling(template, at: moment)
            let drawing = drawing(of: filling)
            steps.note("fill", since: start, filling.shown)
            steps.drawing = drawing
            return PictureJob(
                attempt: attempt, source: SourceBytes(filling.drawings[0].svg), content: content,
                drawn: drawing.content, styles: filling.drawings
            ).outcome()
        } catch let fault as TemplateFault {
            return .refused(Refusal(fault), content: content)
        } catch {
            // The configuration was checked, so this is trouble of the system.
            return .released("smart: \(error)")
        }
    }

    private func drawing(of filling: TemplateFilling) -> TemplateDrawing {
        // Other fonts give another picture.
        TemplateDrawing(
            content: ContentHash(of: filling.bytes + attempt.tools.fonts().utf8),
            next: filling.next.map { Int64(($0.timeIntervalSince1970 * 1000).rounded(.up)) })
    }
}

extension TemplateFilling {
    /// For the job log.
    fileprivate var shown: String {
        let styles = drawings.count.counted("style", "styles")
        guard let next else { return "\(styles), until the file changes" }
        return "\(styles), until \(next.formatted(.iso8601))"
    }
}
