/// The parts that hear of the work of the others.
struct Listeners: Sendable {
    let service: ServiceManager
    let journal: JobJournal
    let reporter: Reporter
    let publisher: Publisher
    let progress: DrainProgress
    let redo: Redo
    let repair: Repair
    let packs: PackKeeper
}
