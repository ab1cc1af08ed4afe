import StickerValues

/// Checks the structure of an ICC profile (ICC.1:2010, clause 7) before a colour library reads it.
///
/// Libraries trust a profile's declarations: a few bytes can ask for gigabytes of tables, or refer to one element a
/// million times. The cost of an accepted profile is bounded: tags lie inside the profile, tables inside their tags,
/// and nothing chains elements at will (`mpet`).
package enum ICCOutline {
    /// The same as for the profile of the configuration.
    package static let bytesMax = CMYKProfile.bytesMax
    /// The most tags that lcms2 reads.
    static let tagsMax = 100
    /// Gray, RGB and CMYK on one side of a table, XYZ or Lab on the other.
    static let channelsMax = 4
    /// The most entries of a curve that lcms2 reads.
    static let curveEntriesMax = 0x7FFF

    /// Why the profile should be ignored; `nil` if it may be used. Any bytes are allowed.
    package static func fault(in profile: UnsafeRawBufferPointer) -> String? {
        guard profile.count <= bytesMax else {
            return "it has \(profile.count) bytes, more than \(bytesMax)"
        }
        guard profile.has("acsp", at: 36), let count = profile.bigEndian32(at: tableOffset - 4)
        else { return "it has no header" }
        guard classes.contains(where: { profile.has($0, at: 12) }) else {
            return "it describes no device and no colour space"
        }
        guard count <= tagsMax else { return "it has \(count) tags, more than \(tagsMax)" }
        return (0..<count).lazy.compactMap { tagFault(profile, tableOffset + 12 * $0) }.first
    }

    /// The transfer that a `cicp` tag states by number of ITU-T H.273 (ICC.1:2022, 9.2.17). Any bytes are allowed.
    package static func transfer(in profile: UnsafeRawBufferPointer) -> Int? {
        tag("cicp", in: profile)
            .flatMap { profile.has("cicp", at: $0) ? profile.byte(at: $0 + 9).map(Int.init) : nil }
    }

    /// The stated start of the first tag of this name, which may lie outside the profile.
    static func tag(_ name: StaticString, in profile: UnsafeRawBufferPointer) -> Int? {
        let count = min(profile.bigEndian32(at: tableOffset - 4) ?? 0, tagsMax)
        return (0..<count).lazy.map { tableOffset + 12 * $0 }.first { profile.has(name, at: $0) }
            .flatMap { profile.bigEndian32(at: $0 + 4) }
    }

    private static let tableOffset = 132
    private static let classes: [StaticString] = ["scnr", "mntr", "prtr", "spac"]

    /// The fault of the tag at `entry` of the table.
    private static func tagFault(_ profile: UnsafeRawBufferPointer, _ entry: Int) -> String? {
        guard let start = profile.bigEndian32(at: entry + 4),
            let count = profile.bigEndian32(at: entry + 8)
        else { return "its table of tags is cut off" }
        guard start >= tableOffset, count >= 8, start <= profile.count,
            count <= profile.count - start
        else { return "a tag lies outside it" }
        if profile.has("D2B", at: entry) || profile.has("B2D", at: entry) {
            return "it has tags of processing elements"
        }
        return ICCTag(profile.part(start..<(start + count))).fault
    }
}
