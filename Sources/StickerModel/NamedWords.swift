/// ` name=value` for each value that is not the default, in order.
struct NamedWords {
    private(set) var text = ""

    /// What stands for values that do not exist.
    var none: NamedWords {
        var words = NamedWords()
        words.text = " none"
        return words
    }

    mutating func add<Value: Equatable>(_ name: String, _ value: Value, unless plain: Value) {
        if value != plain { text += " \(name)=\(value)" }
    }
}
