import StickerValues

extension WhatsAppValidator {
    /// One inspection of one app.
    struct Inspection {
        let app: App
        /// The manifest.
        let text: [UInt8]
        private(set) var findings: [Finding] = []

        init(app: App, text: [UInt8]) {
            self.app = app
            self.text = text
        }

        /// Adds a finding; for a value of the manifest, with its line.
        mutating func note(
            _ rule: Rule, _ place: Place, _ detail: String, measured: String, limit: String,
            remedy: String
        ) {
            var detail = detail
            if !place.path.isEmpty {
                let line = JSONParser.lines(of: [place.path], in: text)[0]
                detail += " (\(place.path), line \(line) of \(app.manifestName))"
            }
            findings.append(
                Finding(
                    rule.rawValue, rule.severity, pack: place.pack,
                    file: place.file ?? app.manifestName, detail, measured: measured, limit: limit,
                    remedy: remedy))
        }

        /// Notes a text that is longer than `most`.
        mutating func checkLength(
            _ rule: Rule, _ text: String?, _ place: Place, _ name: String, most: Int
        ) {
            guard let text, app.length(of: text) > most else { return }
            note(
                rule, place, "\(name) is too long", measured: "\(app.length(of: text))",
                limit: "\(most) \(app.lengthUnit)", remedy: "shorten \(name)")
        }
    }
}
