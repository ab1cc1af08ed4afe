import Foundation

/// A job as `stickerctl jobs --json` prints it.
struct JobLine: Decodable, Hashable, Sendable {
    struct Refusal: Decodable, Hashable, Sendable {
        var reason: String
        var detail: String
        var measured: String?
        var limit: String?
        var remedy: String
    }

    var id: Int
    var state: String
    var needsAttention: Bool
    var file: String
    var category: String
    var sticker: String?
    var attempt: Int
    var bytes: Int
    var createdAt: Int
    var startedAt: Int?
    var finishedAt: Int?
    var reason: String?
    var refusal: Refusal?

    var isFinal: Bool { ["completed", "cancelled", "discarded"].contains(state) }

    static func all(_ json: String) throws -> [JobLine] {
        struct List: Decodable { var jobs: [JobLine] }
        return try JSONDecoder().decode(List.self, from: Data(json.utf8)).jobs
    }
}
