import CPages

/// The files of pages that are built into the programs.
package enum PageFile {
    /// The bytes of the file `name` in `CPages`, which must exist.
    package static func bytes(_ name: String) -> [UInt8] {
        let file = cpages_find(name)
        guard let start = file.bytes else { preconditionFailure("there is no page file \(name)") }
        return Array(UnsafeBufferPointer(start: start, count: file.count))
    }
}
