/// ` name=value` for each value that is not the default, in order.
struct NamedWords {
    private(set) var text = ""

    mutating func add<Value: Equatable>(_ name: String, _ value: Value, unless plain: Value) {
        if value != plain { text += " \(name)=\(value)" }
    }
}
