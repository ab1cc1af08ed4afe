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
    var createdAt: Date
    var startedAt: Date?
    var finishedAt: Date?
    var reason: String?
    var refusal: Refusal?

    var isFinal: Bool { ["completed", "cancelled", "discarded"].contains(state) }

    static func all(_ json: String) throws -> [JobLine] {
        struct List: Decodable { var jobs: [JobLine] }
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .custom { decoder in
            let precise = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
            return try Date(String(from: decoder), strategy: precise)
        }
        return try decoder.decode(List.self, from: Data(json.utf8)).jobs
    }
}
