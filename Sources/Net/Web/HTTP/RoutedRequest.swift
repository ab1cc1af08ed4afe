import StickerHTTP

/// A request with its route, which is matched once, here.
struct RoutedRequest: Sendable {
    let request: WebRequest
    /// `nil` for published files, and for paths that do not exist.
    let route: Route?
    /// The values of the names in braces in the route.
    let values: [String]

    init(_ request: WebRequest) {
        let found = request.path.flatMap(Route.of)
        self.request = request
        (route, values) = (found?.route, found?.values ?? [])
    }

    /// The first of the values; empty if there is none.
    var name: String { values.first ?? "" }
    /// The accepted methods besides OPTIONS.
    var methods: String { route?.methods ?? Route.reading }
    /// The decoded path, without the leading slash; empty if it is invalid.
    var path: String { request.path ?? "" }
}
