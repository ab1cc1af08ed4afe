import Testing

/// All suites that watch real folders, one after the other: libinotifytools serves one watcher at a
/// time, and inotify's instances are few.
@Suite(.serialized)
struct WatchTests {}
