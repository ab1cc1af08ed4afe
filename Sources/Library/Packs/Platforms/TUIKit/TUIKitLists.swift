import StickerModel

// What an app tells TUIKit about its groups, under the names that each client has for it. An app reads the list of its
// client, and makes the client's objects of it.

/// `TUIFaceGroup` on iOS; paths are from the bundle on, without extension.
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

/// `FaceGroup` on Android; addresses are from the folder on in which the bundle lies.
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

/// A group on the Web; `url` is from the folder on in which the form `web` lies.
///
/// The type `big` asks for `url + name + "@2x.png"`. The other one, `CUSTOM`, could show a GIF, but then the name in a
/// message has an extension, and no other client knows it.
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

/// `CustomStickerPackage` in Flutter, which draws `baseUrl/name`. `groupIndex` and `data` are what an app has to send
/// instead of what it sends by itself, so that other clients understand it.
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
