public import StickerValues

extension Configuration {
    /// Changes each file named by a mark.
    ///
    /// - Parameter change: changes a file; the text is the JSON path of its mark.
    /// - Throws: the errors of `change`.
    public mutating func changeWatermarkFiles<Failure: Error>(
        _ change: (inout WatermarkFile, String) throws(Failure) -> Void
    ) throws(Failure) {
        try sticker.changeWatermarkFiles("sticker", change)
        for name in categories.keys.sorted() {
            let path = "categories.\(FileName.escaped(name))"
            try categories[name]?.changeWatermarkFiles(path, change)
        }
    }
}

extension StickerSettings {
    fileprivate mutating func changeWatermarkFiles<Failure: Error>(
        _ path: String, _ change: (inout WatermarkFile, String) throws(Failure) -> Void
    ) throws(Failure) {
        for index in watermarks.indices {
            let path = "\(path).watermarks.\(FileName.escaped(watermarks[index].id))"
            switch watermarks[index].content {
            case .color, .text: break
            case .image(var file):
                try change(&file, path)
                watermarks[index].content = .image(file)
            case .raw(var file, let pixels):
                try change(&file, path)
                watermarks[index].content = .raw(file, pixels)
            }
        }
    }
}
