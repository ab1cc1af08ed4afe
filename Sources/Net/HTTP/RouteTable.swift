/// The routes of a site, each with its pattern, such as `/jobs/{id}`.
package struct RouteTable<Entry>: Sendable
where Entry: CaseIterable & RawRepresentable<String> & Sendable {
    private let routes = Array(Entry.allCases)
    private let patterns = Entry.allCases.map { Self.parts($0.rawValue.dropFirst()) }

    /// Names stand in braces, each for one part of a path.
    package init() {}

    /// Finds the route of a path.
    ///
    /// - Parameter path: without the leading slash.
    /// - Returns: the first route that fits, and the values of its names; `nil` if none fits.
    package func match(_ path: String) -> (route: Entry, values: [String])? {
        let parts = Self.parts(path[...])
        func fits(_ wanted: Substring, _ part: Substring) -> Bool {
            wanted == part || wanted.hasPrefix("{") && !part.isEmpty
        }
        for (index, pattern) in patterns.enumerated()
        where pattern.count == parts.count && zip(pattern, parts).allSatisfy(fits) {
            let values = zip(pattern, parts).filter { $0.0.hasPrefix("{") }.map { String($0.1) }
            return (routes[index], values)
        }
        return nil
    }

    private static func parts(_ path: Substring) -> [Substring] {
        path.split(separator: "/", omittingEmptySubsequences: false)
    }
}
