import StickerValues

/// A sticker in a message of TUIKit: `TIMFaceElem`, in the form of the REST API.
public struct FaceMessage: Hashable, Sendable, Codable {
    /// The number of a group, and a name in it.
    public struct Content: Hashable, Sendable, Codable {
        /// The number of the group.
        public var index: Int
        /// The name of the sticker.
        public var data: String

        enum CodingKeys: String, CodingKey {
            case index = "Index"
            case data = "Data"
        }
    }

    /// The type, which is the same for all.
    public private(set) var type = "TIMFaceElem"
    /// Its content.
    public var content: Content

    enum CodingKeys: String, CodingKey {
        case type = "MsgType"
        case content = "MsgContent"
    }

    /// Creates a message.
    public init(index: Int, data: String) { content = Content(index: index, data: data) }
}

/// Finds the picture of a message as each client does: ports of their code.
public struct TUIKitResolver: Sendable {
    /// A client; each resolves messages in its own way.
    public enum Client: String, Sendable, Codable, CaseIterable {
        case ios, android, web, flutter
    }

    /// The result of a client for a message.
    public struct Outcome: Hashable, Sendable, Codable {
        /// The client.
        public var client: Client
        /// The group that it searches.
        public var group: Int
        /// The path of the shown file in the client's form; `nil` for its placeholder.
        public var file: String?
        /// That file in the published tree.
        public var picture: PublishedPicture?
    }

    private let groups: [Int: TUIKitGroup]
    private let indices: [CategoryID: Int]
    private let bundle: [String: PublishedPicture]
    private let web: [String: PublishedPicture]

    /// Takes the packs of the library.
    ///
    /// - Parameter packs: as handed over.
    public init(_ packs: [Pack]) {
        groups = Dictionary(packs.map { ($0.place, TUIKitGroup($0)) }) { first, _ in first }
        indices = Dictionary(packs.map { ($0.category, $0.place) }) { first, _ in first }
        bundle = Self.pictures(in: TUIKit().files(of: packs, as: "bundle"))
        web = Self.pictures(in: TUIKit().files(of: packs, as: "web"))
    }

    private static func pictures(in files: [PackFile]) -> [String: PublishedPicture] {
        files.reduce(into: [:]) { pictures, file in
            if case .picture(let picture) = file.content { pictures[file.path] = picture }
        }
    }

    /// The message for a sticker.
    ///
    /// - Parameters:
    ///   - group: its number, or the id of a category.
    ///   - name: the name in a message, or the id of a sticker in the group that has an alias there.
    /// - Returns: `nil` if there is no such group.
    public func message(group: String, name: String) -> FaceMessage? {
        let known = Int(group).flatMap { groups[$0]?.index } ?? indices[CategoryID(rawValue: group)]
        guard let known else { return nil }
        let alias = TUIKit.name(of: StickerID(rawValue: name))
        let isThere = groups[known]?.faces.contains { $0.name == alias } ?? false
        return FaceMessage(index: known, data: isThere ? alias : name)
    }

    /// The picture that a client shows.
    ///
    /// - Parameters:
    ///   - message: any message.
    ///   - client: the client.
    /// - Returns: the file, or that there is none.
    public func outcome(of message: FaceMessage, on client: Client) -> Outcome {
        let data = message.content.data
        let index = client == .flutter ? Self.flutterGroup(of: data) : message.content.index
        let pictures = client == .web ? web : bundle
        let file = groups[index].flatMap { group in
            switch client {
            case .ios: iOSFile(data, in: group)
            case .android: androidFile(data, in: group)
            case .web: "\(group.folder)/\(data)@2x.png"
            case .flutter: group.faces.first { $0.name == data }?.path(in: group)
            }
        }
        guard let file, let picture = pictures[file] else {
            return Outcome(client: client, group: index)
        }
        return Outcome(client: client, group: index, file: file, picture: picture)
    }

    /// iOS: a path with `.gif` in it is a GIF; any other is looked up as `@2x` picture, then as GIF.
    private func iOSFile(_ name: String, in group: TUIKitGroup) -> String? {
        let path = "\(TUIKit.bundle)/\(group.folder)/\(name)"
        guard !path.contains(".gif") else { return path }
        return ["\(path)@2x.png", "\(path).gif"].first { bundle[$0] != nil }
    }

    /// Android: the key as it is, then without the last `@2x` and everything after it, as old senders had it.
    private func androidFile(_ key: String, in group: TUIKitGroup) -> String? {
        let shorter = key.ranges(of: "@2x").last.map { String(key[..<$0.lowerBound]) }
        return [key, shorter].lazy.compactMap { key in group.faces.first { $0.name == key } }
            .first?.path(in: group)
    }

    /// The group number that a message from Flutter has, whatever the group of its sticker.
    ///
    /// - Parameter data: the name in the message.
    /// - Returns: 1 to 3.
    public static func flutterGroup(of data: String) -> Int {
        (TUIKit.samples.firstIndex { data.contains($0) } ?? 0) + 1
    }
}

extension TUIKitGroup.Face {
    fileprivate func path(in group: TUIKitGroup) -> String {
        "\(TUIKit.bundle)/\(group.folder)/\(fileName)"
    }
}
