/// The ids of all results of a recipe, for still and for moving pictures, which have different rules, and for stills in
/// CMYK if those have a profile.
public struct RecipeIDs: Hashable, Sendable {
    /// The ids of the files of one kind of picture.
    public struct Kind: Hashable, Sendable {
        /// A target and the recipe of its file.
        public struct Rendition: Hashable, Sendable {
            /// The name of the target.
            public var target: String
            /// The recipe of the file.
            public var recipe: RecipeID
        }

        /// The id of everything together.
        public var whole: RecipeID
        /// The side files: companion, thumbnails, poster, tray icon.
        public var sideFiles: RecipeID
        /// Targets with the recipes of their files, in order; the sticker's target comes first.
        public var renditions: [Rendition]

        /// The recipe of a target's file.
        public func recipe(for target: String?) -> RecipeID? {
            renditions.first { $0.target == target }?.recipe
        }
    }

    /// The ids for a still picture.
    public var still: Kind
    /// The ids for a moving picture.
    public var moving: Kind
    /// The ids for a still picture in CMYK, if they differ from `still`.
    public var cmyk: Kind?

    /// The ids for one kind of picture.
    public subscript(moves moves: Bool) -> Kind { moves ? moving : still }

    /// The ids for a picture that is known to be in CMYK or not.
    public func ofPicture(isCMYK: Bool) -> RecipeIDs {
        var ids = self
        if isCMYK, let cmyk { ids.still = cmyk }
        ids.cmyk = nil
        return ids
    }

    /// Whether `id` is the `whole` of any kind.
    public func contains(_ id: RecipeID) -> Bool {
        id == still.whole || id == moving.whole || id == cmyk?.whole
    }
}

extension RecipeIDs {
    /// Computes the ids of `recipe`.
    ///
    /// - Parameters:
    ///   - recipe: the recipe.
    ///   - digest: returns 16 digits that identify a text.
    public init(_ recipe: Recipe, digest: (String) -> String) {
        func id(_ lines: [String]) -> RecipeID {
            RecipeID(rawValue: digest(lines.joined(separator: "\n")))
        }
        func kind(_ picture: RecipeText.Picture) -> Kind {
            let sideFiles = id(RecipeText(sideFilesOf: recipe, picture).lines)
            let renditions = recipe.targets.map { target in
                Kind.Rendition(
                    target: target.name, recipe: id(RecipeText(recipe, target, picture).lines))
            }
            let whole = renditions.map { "\($0.target) \($0.recipe)" } + ["\(sideFiles)"]
            return Kind(whole: id(whole), sideFiles: sideFiles, renditions: renditions)
        }
        still = kind(.still)
        moving = kind(.moving)
        cmyk = recipe.cmykProfile.map { kind(.cmyk($0)) }
    }
}
