import Glibc
package import NIOCore
package import StickerSystem

/// The answer to a client.
package struct Answer: Sendable {
    package enum Body: Sendable {
        case bytes(ByteBuffer)
        /// A part of an open file, read while it is sent.
        case file(OpenFile, Range<Int>)
        /// The states of the library as an endless stream of events.
        case changes(AsyncStream<String>)

        /// An empty body.
        package static let none = Body.bytes(ByteBuffer())
    }

    /// The status code.
    package var status: Int
    /// Header fields in order, without the length.
    package var headers: [(name: String, value: String)]
    package var body: Body

    package init(_ status: Int, _ headers: [(name: String, value: String)], _ body: Body) {
        (self.status, self.headers, self.body) = (status, headers, body)
    }

    /// The number of bytes of the body of a GET; `nil` if unknown.
    package var count: Int? {
        switch body {
        case .bytes(let bytes): bytes.readableBytes
        case .file(_, let range): range.count
        case .changes: nil
        }
    }
}

/// A file that is being sent.
package final class OpenFile: Sendable {
    package let descriptor: Descriptor
    package let path: String
    /// Whether it is read on a thread that blocks no other requests.
    package let isApart: Bool

    /// Takes an open file.
    package init(_ descriptor: consuming Descriptor, path: String, isApart: Bool = false) {
        self.descriptor = descriptor
        self.path = path
        self.isApart = isApart
    }

    /// Opens a file below the folder, without following links.
    package convenience init(
        _ path: String, below folder: String, isApart: Bool = false
    ) throws(FileError) {
        try self.init(Array(path.utf8), below: folder, isApart: isApart)
    }

    /// The same for a path of any bytes.
    package init(
        _ path: [UInt8], below folder: String, isApart: Bool = false
    ) throws(FileError) {
        self.isApart = isApart
        self.path = String(decoding: path, as: UTF8.self)
        let folder = try Descriptor(folder: folder)
        descriptor = try folder.open(below: path, O_RDONLY | O_NONBLOCK, shown: self.path)
    }
}

extension Answer {
    /// Sets a header field, replacing earlier values.
    package mutating func set(_ name: String, _ value: String) {
        headers.removeAll { $0.name == name }
        headers.append((name, value))
    }

    /// The media type of JSON.
    package static let jsonType = "application/json; charset=utf-8"

    /// A JSON answer of one generation; caches must revalidate it.
    package static func json(_ status: Int = 200, _ write: (inout JSONWriter) -> Void) -> Answer {
        var json = JSONWriter()
        json.object(write)
        return .json(status, json.bytes)
    }

    /// Finished JSON.
    package static func json(_ status: Int = 200, _ bytes: [UInt8]) -> Answer {
        Answer(
            status, [("Content-Type", jsonType), ("Cache-Control", "no-cache")],
            .bytes(ByteBuffer(bytes: bytes)))
    }
}

/// Why a request fails. The body has no member `images`: clients of sticker providers look only for that.
package struct WebError: Error {
    /// The status code.
    package var status: Int
    /// The problem, in one sentence.
    package var message: String
    package var remedy: String
    /// Further header fields.
    package var headers: [(name: String, value: String)] = []
    /// Further members of the body.
    package var details: [(name: String, value: String)] = []

    package init(
        status: Int, message: String, remedy: String,
        headers: [(name: String, value: String)] = [],
        details: [(name: String, value: String)] = []
    ) {
        (self.status, self.message, self.remedy) = (status, message, remedy)
        (self.headers, self.details) = (headers, details)
    }

    package func answer(to request: WebRequest) -> Answer {
        var answer = Answer.json(status) { json in
            json.text("error", message)
            json.text("remedy", remedy)
            json.number("status", status)
            for (name, value) in details { json.text(name, value) }
            json.text("request", request.identifier)
        }
        answer.set("Cache-Control", "no-store")
        answer.headers += headers
        return answer
    }

    /// The requested item does not exist.
    package static let notFound = WebError(
        status: 404, message: "there is nothing here",
        remedy: "the API is described at /api/openapi.json")

    /// An invalid parameter.
    package static func badParameter(_ name: String, _ limit: String) -> WebError {
        WebError(
            status: 400, message: "the parameter \(name) cannot be read",
            remedy: "\(name) is \(limit)")
    }
}
