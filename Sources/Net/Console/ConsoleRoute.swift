import StickerHTTP

/// The addresses of the console.
enum ConsoleRoute: String, CaseIterable, Sendable {
    case overview = "/"
    case jobs = "/jobs"
    case job = "/jobs/{number}"
    case log = "/log"
    case library = "/library"
    case category = "/library/{category}"
    case look = "/library/{category}/look/{sticker}"
    case packs = "/library/{category}/packs/{platform}"
    case sticker = "/stickers/{id}"
    case drop = "/drop"
    case undo = "/undo/{number}"
    case trash = "/trash"
    case plan = "/plan"
    case parts = "/parts"
    case state = "/state"
    case source = "/source/{job}"
    case review = "/review/{job}"
    case published = "/out/{root}/{folder}/{file}"
    case pack = "/packs/{platform}/{category}/{file}"
    case asset = "/_console/{name}"
    case enter = "/enter"
    case action = "/do/{verb}"

    static let table = RouteTable<ConsoleRoute>()
}
