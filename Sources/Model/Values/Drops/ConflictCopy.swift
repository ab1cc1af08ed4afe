/// A name that a program gave to a file because another file already had the better one.
public struct ConflictCopy: Hashable, Sendable {
    /// The names of possible originals, the likeliest first, as the kernel's bytes.
    public var originals: [[UInt8]]
    /// Whether it cannot be a title: it has the mark of a program, or its date.
    public var isCertain: Bool

    /// Reads the name of a picture; `nil` if it is not that of a copy.
    ///
    /// The certain forms are those of Syncthing and its versioners, Dropbox in five languages, Nextcloud, ownCloud,
    /// Seafile, Synology Drive and OneDrive; the uncertain ones those of Finder, Windows, browsers and Google Drive,
    /// and names with the word conflict.
    public init?(_ name: [UInt8]) {
        let bytes = FileName.stem(name)
        let end = name.dropFirst(bytes.count)
        let text = String(validating: bytes, as: UTF8.self)
        // The marks are ASCII in other encodings, too.
        let stem = text ?? String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
        let certain = Self.marked(stem) ?? Self.bracketed(stem) ?? Self.ofSynology(stem)
        guard let stems = certain ?? Self.numbered(stem) ?? Self.worded(stem) else { return nil }
        let names = stems.map { stem in
            let bytes =
                text == nil
                ? stem.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) } : Array(stem.utf8)
            return bytes + end
        }
        isCertain = certain != nil
        // The original of a copy of a copy is that of the first.
        let first = certain == nil ? nil : names.first.flatMap { ConflictCopy($0) }
        originals = (first?.isCertain == true ? first?.originals ?? [] : []) + names
    }

    /// `wave.sync-conflict-20240131-120000-ABCDEFG`, `wave~20240131-120000`, `wave_conflict-20240131-120000`,
    /// `wave-DESKTOP-ABC1234`.
    private static func marked(_ stem: String) -> [Substring]? {
        original(of: stem, Forms.marked)
    }

    /// `wave (Anna's conflicted copy 2024-01-31)`; the original may have brackets, too.
    private static func bracketed(_ stem: String) -> [Substring]? {
        guard let last = stem.last, ")]）".contains(last) else { return nil }
        let starts = stem.indices.filter { start in
            "([（".contains(stem[start]) && start > stem.startIndex
                && stem[start...].wholeMatch(of: Forms.bracketed) != nil
        }
        let stems = starts.reversed().map { start in
            var stem = stem[..<start]
            while stem.last == " " { stem.removeLast() }
            return stem
        }.filter { !$0.isEmpty }
        return stems.isEmpty ? nil : stems
    }

    /// `wave_DiskStation_Jan-31-1200-2024_Conflict`; the names of file and machine may have underscores.
    private static func ofSynology(_ stem: String) -> [Substring]? {
        guard let rest = stem.wholeMatch(of: Forms.ofSynology)?.1 else { return nil }
        let stems = rest.indices.filter { rest[$0] == "_" && $0 > rest.startIndex }
        return stems.isEmpty ? nil : stems.reversed().map { rest[..<$0] }
    }

    /// `wave 2`, `wave (1)`, `wave - Copy (2)`, `wave copy`, `Copy of wave`, `wave_conf(1)`: could also be titles.
    private static func numbered(_ stem: String) -> [Substring]? {
        original(of: stem, Forms.numbered)
    }

    /// `wave_Conflict`, `wave (conflicted copy of Anna)`, `wave.conflict-20240131`: could also be titles.
    private static func worded(_ stem: String) -> [Substring]? {
        guard let word = stem.firstRange(of: Forms.word) else { return nil }
        let separators: Set<Character> = [" ", ".", "_", "-", "~", "(", "[", "（"]
        var stems: [Substring] = []
        for end in stem[..<word.lowerBound].indices.reversed() where separators.contains(stem[end])
        {
            let part = stem[..<end]
            if let last = part.last, !separators.contains(last) { stems.append(part) }
        }
        return stems.isEmpty ? nil : stems
    }

    private static func original(
        of stem: String, _ forms: [Regex<(Substring, Substring)>]
    ) -> [Substring]? {
        for form in forms {
            if let match = stem.wholeMatch(of: form) { return [match.1] }
        }
        return nil
    }
}

/// The forms, each with the original's name first. Compiling them takes longer than all matches of a name.
///
/// Unsafe because `Regex` is not `Sendable`; these have no closures, and matching changes nothing.
private enum Forms {
    nonisolated(unsafe) static let marked = [
        /(.+)\.sync-conflict-\d{8}-\d{6}(?:-[A-Z0-9]{7})?/, /(.+)~\d{8}-\d{6}/,
        /(.+)_conflict-\d{8}-\d{6}/, /(.+)-(?:DESKTOP-[A-Z0-9]{7}|LAPTOP-[A-Z0-9]{8})/,
    ]
    nonisolated(unsafe) static let bracketed =
        #/
        (?i) [(\[（] (?:
        .* (?: confli[ct] | konflikt | конфликт | 冲突 | 衝突 | 競合 | 問題のあるコピー | 충돌 )
        .* \d{4}-\d\d-\d\d .*
        | .* (?: conflicted\scopy | case\sconflict | selective\ssync\sconflict
        | unicode\sencoding\sconflict ) (?: \s \d+ )?
        ) [)\]）]
        /#
    nonisolated(unsafe) static let ofSynology =
        /(.+)_[A-Z][a-z]{2}-\d\d-\d{4}(?:\d\d)?-\d{4}_[A-Za-z]*Conflict/
    nonisolated(unsafe) static let word = /(?i)confli[ct]|konflikt|конфликт|冲突|衝突|競合|충돌/
    /// The end of `wave - Copy (2)` alone has another form.
    nonisolated(unsafe) static let numbered = [
        /(?i)(?:copy of|kopie von|copie de|copia de|copia di) (.+)/,
        #/
        (?i) (.+?) (?: \s? [-–—] )? \s? (?: \s | [(（] )
        (?: copy | kopie | copie | copia | cópia | kopia | kópia | kopi | kopya | копия | копія )
        [)）]? (?: \s? [(（]? \d{1,3} [)）]? )?
        /#,
        #/
        (.+?) (?: \s? [-–—] )? \s? [(（]? (?: 副本 | のコピー | コピー | 拷贝 | 拷貝 | 복사본 | 사본 )
        [)）]? (?: \s? [(（]? \d{1,3} [)）]? )?
        /#,
        /(.+) (?:[2-9]|[1-9]\d)/, /(.+?)(?:_conf)? ?\(\d{1,3}\)/,
    ]
}

extension Refusal {
    /// Refuses a conflict copy.
    ///
    /// - Parameters:
    ///   - original: its original.
    ///   - present: the present name of that, if it was saved in another format.
    /// - Returns: a refusal with the remedies.
    public static func conflictCopy(of original: SourceKey, now present: SourceKey) -> Refusal {
        let name = FileName.escaped(FileName.display(original.name))
        let now = FileName.escaped(FileName.display(present.name))
        let other = now == name ? "" : ", now \(now)"
        let first = now == name ? "" : "delete \(now) and "
        return Refusal(
            .conflictCopy, "it is a conflict copy of \(name)\(other): keep one",
            remedy: "to keep this one, \(first)rename it to \(name); to keep the other, delete "
                + "this one; to publish both, give it another name")
    }
}
