public import StickerValues

extension Weather {
    /// Everything that stickers show of the weather, as text that changes with it and with nothing else.
    public var shownText: String {
        let degrees = [SmartPlace.Unit.celsius, .fahrenheit].map { "\(self.degrees($0))" }
        return (degrees + [condition.rawValue]).joined(separator: " ")
    }

    /// In whole degrees; never `-0`.
    func degrees(_ unit: SmartPlace.Unit) -> Int {
        let celsius = kelvin - 273.15
        return Int((unit == .celsius ? celsius : celsius * 9 / 5 + 32).rounded())
    }

    /// See `Placeholder.temperatureLevel`, from the rounded degrees.
    func level(_ unit: SmartPlace.Unit) -> Int {
        let shown = Double(degrees(unit))
        let celsius = unit == .celsius ? shown : (shown - 32) * 5 / 9
        return Int(min(100, max(0, (celsius + 20) / 60 * 100)).rounded())
    }
}
