extension String {
    /// A text for operators of the library of uploads: the commands in it name that library, as those of the other one
    /// would be about other stickers of the same numbers.
    public var withCommandsForUploads: String {
        replacing(/stickerctl (?!--)/, with: "stickerctl --personal ")
    }
}
