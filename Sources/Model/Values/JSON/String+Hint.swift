extension [String] {
    /// A question that names the word meant by `text`: one that differs in few letters for its length, or begins with
    /// it.
    public func hint(for text: String) -> String? {
        guard text.utf8.count <= 100 else { return nil }
        let distances = map { (word: $0, distance: text.distance(to: $0)) }
        let near = distances.min { $0.distance < $1.distance }.flatMap { near in
            near.distance <= Swift.min(3, Swift.max(1, text.count / 3)) ? near.word : nil
        }
        let meant =
            near
            ?? first { text.count >= 3 && $0.lowercased().hasPrefix(text.lowercased()) }
        return meant.map { "did you mean \"\($0)\"?" }
    }
}

extension String {
    /// The least number of letters to insert, remove, replace or swap with the next one (optimal string
    /// alignment), for "did you mean".
    fileprivate func distance(to other: String) -> Int {
        let (own, target) = (Array(lowercased()), Array(other.lowercased()))
        var rows = [Array(0...target.count)]
        for i in own.indices {
            var row = [i + 1]
            for j in target.indices {
                let replaced = rows[i][j] + (own[i] == target[j] ? 0 : 1)
                var least = Swift.min(replaced, rows[i][j + 1] + 1, row[j] + 1)
                if i > 0, j > 0, own[i] == target[j - 1], own[i - 1] == target[j] {
                    least = Swift.min(least, rows[i - 1][j - 1] + 1)
                }
                row.append(least)
            }
            rows.append(row)
        }
        return rows[own.count][target.count]
    }
}
