extension Int {
    /// With thousands separators: `5,000`.
    public var grouped: String {
        var shown = ""
        let digits = String(magnitude)
        for (index, digit) in digits.enumerated() {
            if index > 0, (digits.count - index).isMultiple(of: 3) { shown += "," }
            shown.append(digit)
        }
        return self < 0 ? "-\(shown)" : shown
    }
}
