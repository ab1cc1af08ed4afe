import StickerConfiguration
import StickerValues

/// GIPHY's answer: https://developers.giphy.com/docs/api/schema, with numbers of files as texts.
struct GiphyAnswer {
    static let host = "https://media3.giphy.com/media"

    /// The members of `images` of a sticker with most of what there is.
    static func images(_ id: String) -> String {
        func file(_ name: String, _ side: Int) -> String {
            #"{"url":"\#(host)/\#(id)/\#(name)?cid=1a2b&rid=\#(name)","width":"\#(side)","#
                + #""height":"\#(side)","size":"48211","frames":"20","#
                + #""webp":"\#(host)/\#(id)/\#(name).webp","webp_size":"3012"}"#
        }
        return """
            {"original":\(file("giphy.gif", 480)),"fixed_width_still":\(file("200w_s.gif", 200)),
            "fixed_width_small":\(file("100w.gif", 100)),"preview":{"mp4":"x"},"hd":null}
            """
    }

    /// A sticker.
    static func sticker(_ id: String, rating: String = "g", images: String? = nil) -> String {
        """
        {"type":"sticker","id":"\(id)","slug":"\(id)","url":"https://giphy.com/stickers/\(id)",
        "title":"Sticker \(id)","rating":"\(rating)","is_sticker":1,"tags":["a","b"],
        "images":\(images ?? Self.images(id))}
        """
    }

    /// An answer with some of `total` stickers.
    static func page(_ stickers: [String], total: Int? = nil, offset: Int = 0) -> String {
        let count = total.map { #""total_count":\#($0),"# } ?? ""
        return """
            {"data":[\(stickers.joined(separator: ","))],
            "pagination":{\(count)"count":\(stickers.count),"offset":\(offset)},
            "meta":{"status":200,"msg":"OK","response_id":"x"}}
            """
    }

    /// The answer of a library of so many stickers to the first line of a request.
    static func library(_ total: Int, _ line: String) -> String {
        let offset = line.number(of: "offset") ?? 0
        let limit = line.number(of: "limit") ?? 25
        let ids = (0..<total).dropFirst(offset).prefix(limit).map { "s\($0)" }
        return page(ids.map { sticker($0) }, total: total, offset: offset)
    }
}

/// A provider's answer.
struct ProviderAnswer {
    static func sticker(_ id: String, _ more: String = "") -> String {
        let file = "https://cdn.example.org/\(id)"
        return #"{"id":"\#(id)","url":"\#(file).png","thumbnail":"\#(file)-s.png"\#(more)}"#
    }

    static func page(_ stickers: [String], _ more: String = "") -> String {
        #"{"images":[\#(stickers.joined(separator: ","))]\#(more)}"#
    }
}

extension String {
    /// A number in a query.
    func number(of name: String) -> Int? {
        split(whereSeparator: { "?& ".contains($0) })
            .first { $0.hasPrefix("\(name)=") }
            .flatMap { Int($0.dropFirst(name.count + 1)) }
    }
}

extension UpstreamConfiguration {
    /// A category of GIPHY's that is asked at a port of this machine.
    static func giphy(port: UInt16 = 1) -> UpstreamConfiguration {
        var upstream = UpstreamConfiguration(CategoryID(rawValue: "gifs"), .giphy)
        upstream.url = "http://127.0.0.1:\(port)/v1/stickers"
        upstream.title = "GIPHY"
        return upstream
    }

    /// One of a partner's.
    static func partner(port: UInt16 = 1) -> UpstreamConfiguration {
        var upstream = UpstreamConfiguration(CategoryID(rawValue: "partner"))
        (upstream.url, upstream.title) = ("http://127.0.0.1:\(port)/api/stickers", "Partner")
        upstream.imageHosts = ["cdn.example.org", "*.img.example.org"]
        return upstream
    }
}
