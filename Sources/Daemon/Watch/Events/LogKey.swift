/// Keys of log metadata.
enum LogKey {
    static let backend = "watch.backend"
    static let drop = "drop.path"
    static let folder = "folder.path"
    static let reason = "reason"
}
