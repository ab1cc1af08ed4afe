import StickerValues

// The description of the groups for TUIKit, under the names that each client uses. An app reads the list of its client,
// and creates the client's objects from it.

/// `TUIFaceGroup` on iOS; paths are relative to the bundle, without extension.
struct IOSGroup: Encodable {
    struct Face: Encodable {
        var name: String
        var path: String
        var localizableName: String
    }

    var groupIndex: Int
    var groupPath: String
    var faces: [Face]
    var rowCount: Int
    var itemCountPerRow: Int
    var menuPath: String
    var groupName: String
    /// A sticker is sent at once.
    var isNeedAddInInputBar = false

    init(_ group: TUIKitGroup) {
        groupIndex = group.index
        groupPath = group.folder
        menuPath = "\(group.folder)/menu"
        groupName = group.title
        (rowCount, itemCountPerRow) = (group.form.rows, group.form.columns)
        faces = group.faces.map {
            Face(name: $0.name, path: "\(group.folder)/\($0.name)", localizableName: $0.title)
        }
    }
}

/// `FaceGroup` on Android; addresses are relative to the folder of the bundle.
struct AndroidGroup: Encodable {
    struct Face: Encodable {
        var faceKey: String
        var faceName: String
        var faceUrl: String
    }

    var groupID: Int
    var groupName: String
    var faceGroupIconUrl: String
    var pageRowCount: Int
    var pageColumnCount: Int
    var faces: [Face]

    init(_ group: TUIKitGroup) {
        let folder = "\(TUIKit.bundle)/\(group.folder)"
        groupID = group.index
        groupName = group.title
        faceGroupIconUrl = "\(folder)/menu@2x.png"
        (pageRowCount, pageColumnCount) = (group.form.rows, group.form.columns)
        faces = group.faces.map {
            Face(faceKey: $0.name, faceName: $0.title, faceUrl: "\(folder)/\($0.fileName)")
        }
    }
}

/// A group on the Web; `url` is relative to the folder of the form `web`.
///
/// The type `big` requests `url + name + "@2x.png"`. The other one, `CUSTOM`, could show a GIF, but then the name in a
/// message has an extension, which no other client knows.
struct WebGroup: Encodable {
    var emojiGroupID: Int
    var type = "big"
    var url: String
    var list: [String]

    init(_ group: TUIKitGroup) {
        emojiGroupID = group.index
        url = "\(group.folder)/"
        list = group.stills.map(\.name)
    }
}

/// `CustomStickerPackage` in Flutter, which draws `baseUrl/name`. For other clients to understand it, an app has to
/// send `groupIndex` and `data` instead of its defaults.
struct FlutterGroup: Encodable {
    struct Sticker: Encodable {
        var index: Int
        var name: String
        var data: String?
    }

    var name: String
    var baseUrl: String
    var groupIndex: Int
    var isEmoji = false
    var menuItem: Sticker
    var stickerList: [Sticker]

    init(_ group: TUIKitGroup) {
        name = group.folder
        baseUrl = "assets/custom_face_resource/\(group.folder)"
        groupIndex = group.index
        menuItem = Sticker(index: 0, name: "menu@2x.png")
        stickerList = group.faces.enumerated().map { index, face in
            Sticker(index: index, name: face.fileName, data: face.name)
        }
    }
}
