import Glibc
import StickerTestSupport
import Testing

/// A way in which a file gets into a drop folder.
enum DropHabit: String, CaseIterable, CustomTestStringConvertible {
    /// Opened, written and closed under its name, as `cp` does.
    case copied
    /// Written under a hidden name beside it, then renamed, as rsync and editors do.
    case writtenAndRenamed
    /// Written elsewhere, then moved in.
    case movedIn
    /// Given a second name; nobody opens or closes it.
    case linked
    /// Made without a name, which it gets when it is whole: O_TMPFILE and linkat(2).
    case namedAtLast
    /// Written through a map of its pages.
    case mapped
    /// Found in a folder that was made and filled in one go.
    case inNewFolders
    /// Found in a tree that was moved in.
    case inMovedTree

    var testDescription: String { rawValue }

    /// Brings `picture` into the drop of `workshop`.
    ///
    /// - Returns: the names of the files that lie there now.
    func drop(_ picture: [UInt8], in workshop: Workshop) throws -> [String] {
        let target = "\(workshop.drop)/cats/art.png"
        switch self {
        case .copied:
            try workshop.put(picture, "cats/art.png")
        case .writtenAndRenamed:
            try workshop.put(picture, "cats/.art.png.aB3dE9")
            try check(rename("\(workshop.drop)/cats/.art.png.aB3dE9", target), "rename")
        case .movedIn:
            try check(rename(workshop.folder.write(picture, to: "made.png"), target), "rename")
        case .linked:
            try check(link(workshop.folder.write(picture, to: "made.png"), target), "link")
        case .namedAtLast:
            try nameAtLast(picture, target)
        case .mapped:
            try map(picture, target)
        case .inNewFolders:
            return try fill("drop", picture, in: workshop)
        case .inMovedTree:
            let names = try fill("elsewhere", picture, in: workshop)
            for folder in ["birds", "fish"] {
                try check(
                    rename(
                        workshop.folder.path("elsewhere/\(folder)"), "\(workshop.drop)/\(folder)"),
                    "rename \(folder)")
            }
            return names
        }
        return ["art.png"]
    }

    private func fill(_ root: String, _ picture: [UInt8], in workshop: Workshop) throws -> [String]
    {
        let names = (1...20).map { "art \($0).png" }
        for (number, name) in names.enumerated() {
            let folder = ["birds", "birds/winter", "fish/deep/blue"][number % 3]
            try workshop.folder.write(picture, to: "\(root)/\(folder)/\(name)")
        }
        return names.sorted()
    }

    /// O_TMPFILE as <asm-generic/fcntl.h> has it; Swift does not see the macro.
    private static let withoutName = 0o20000000 | O_DIRECTORY

    private func nameAtLast(_ picture: [UInt8], _ target: String) throws {
        let folder = String(target[..<(target.lastIndex(of: "/") ?? target.startIndex)])
        let file = open(folder, O_WRONLY | Self.withoutName, 0o644)
        try check(file, "open \(folder)")
        defer { close(file) }
        try check(Int32(write(file, picture, picture.count)), "write")
        let path = "/proc/self/fd/\(file)"
        try check(linkat(AT_FDCWD, path, AT_FDCWD, target, AT_SYMLINK_FOLLOW), "linkat")
    }

    private func map(_ picture: [UInt8], _ target: String) throws {
        let file = open(target, O_RDWR | O_CREAT, 0o644)
        try check(file, "open \(target)")
        try check(ftruncate(file, picture.count), "ftruncate")
        let pages = mmap(nil, picture.count, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0)
        guard let pages, pages != MAP_FAILED else { throw CallFailed(description: "mmap") }
        UnsafeMutableRawBufferPointer(start: pages, count: picture.count).copyBytes(from: picture)
        close(file)
        munmap(pages, picture.count)
    }
}
