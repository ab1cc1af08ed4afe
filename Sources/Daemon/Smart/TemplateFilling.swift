public import Foundation
public import StickerValues

/// A template filled in for one instant.
public struct TemplateFilling: Sendable {
    /// One drawing for each style.
    public let drawings: [(style: String?, svg: [UInt8])]
    /// When it may show something else; `nil` if time changes nothing.
    public let next: Date?

    /// Fills a template in.
    ///
    /// - Parameters:
    ///   - template: the file.
    ///   - moment: time and place.
    public init(_ template: SmartTemplate, at moment: SmartMoment) {
        let values = moment.values(of: template)
        let language = moment.language
        let styles = template.styles.isEmpty ? [nil] : template.styles.map(Optional.some)
        drawings = styles.map { ($0, template.filled(values, style: $0, language: language)) }
        next = moment.nextChange(of: template)
    }

    /// All drawings in one, for hashing.
    public var bytes: [UInt8] { Array(drawings.map(\.svg).joined(separator: [0])) }
}

extension Refusal {
    /// The refusal for a template's fault.
    public init(_ fault: TemplateFault) {
        self.init(
            .invalidTemplate, "the template has a fault in line \(fault.line): \(fault.detail)",
            remedy: fault.remedy)
    }
}
