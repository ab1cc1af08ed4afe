import GRDB

// Texts and values that the store keeps by name.

extension StoreTransaction {
    /// Reads a stored text.
    func note(_ key: String) throws -> String? {
        try value("SELECT value FROM note WHERE key = ?", [key])
    }

    /// Stores a text.
    func setNote(_ key: String, _ value: String) throws {
        try run(
            "INSERT INTO note VALUES (?, ?) ON CONFLICT DO UPDATE SET value = excluded.value",
            [key, value])
    }
}

extension Transacting {
    /// Stores a value, unless it is unchanged.
    func setNote(_ key: String, to value: some Encodable) throws(StoreError) {
        try write { transaction in
            let text = try StoredJSON.text(value)
            guard try transaction.note(key) != text else { return }
            try transaction.setNote(key, text)
        }
    }

    /// Reads a stored value. A note that cannot be decoded, from another version, counts as missing.
    func note<Value: Decodable>(_ key: String, as type: Value.Type) throws(StoreError) -> Value? {
        try read { transaction in
            try transaction.note(key).flatMap { try? StoredJSON.decode(type, from: $0) }
        }
    }
}
