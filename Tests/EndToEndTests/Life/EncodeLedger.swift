/// How often pictures may have been encoded since nothing was left to be done.
struct EncodeLedger {
    /// The pictures of which the files are there, so that they need not be made again.
    private var known: Set<Int> = []
    /// Pictures that were replaced before anybody could tell whether they were made, or of which a new database
    /// may not know.
    private var uncertain: Set<Int> = []
    /// How often each picture was written.
    private var written: [Int: Int] = [:]
    /// Pictures that may have been made without leaving a trace.
    private var interrupted: [Int: Int] = [:]

    mutating func wrote(_ picture: Int) { written[picture, default: 0] += 1 }

    /// Whatever was being made has to be made again, and need not have been counted.
    mutating func wasKilled() { interrupted.merge(written) { $0 + $1 } }

    /// A new database does not know how files were made: every file that is published may be made once more.
    mutating func wasRebuilt(_ published: [Int]) {
        uncertain.formUnion(known)
        known = []
        published.forEach { wrote($0) }
    }

    /// How many encodes there must have been; `published` are the pictures that are shown now.
    func bounds(_ published: Set<Int>) -> ClosedRange<Int> {
        var (least, most) = (0, 0)
        for (picture, times) in written where !known.contains(picture) {
            let isCertain = published.contains(picture) && !uncertain.contains(picture)
            least += isCertain && interrupted[picture] == nil ? 1 : 0
            most += times + (interrupted[picture] ?? 0)
        }
        return least...most
    }

    /// Begins again.
    mutating func settle(_ published: Set<Int>) {
        uncertain.formUnion(written.keys)
        known.formUnion(published)
        uncertain.subtract(published)
        (written, interrupted) = ([:], [:])
    }
}
