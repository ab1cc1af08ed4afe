import Testing

/// The built programs, run on temporary folders.
@Suite struct EndToEnd {}
