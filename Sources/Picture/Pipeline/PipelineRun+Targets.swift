import StickerValues

/// The targets of a picture: each has a share of the time.
extension PipelineRun {
    /// The file for a target, and its contents. A still that moves only by a mark stays still if moving does not fit.
    func rendition(
        of artwork: Artwork, in picture: Picture, for target: Target
    ) throws(Refusal) -> (file: Rendition, shown: Artwork) {
        let watermarks = recipe.wearing(moves: picture.moves).marks(of: target)
        guard case .still(let canvas) = artwork, target.still != nil, watermarks.animate else {
            return try finish(artwork, wearing: watermarks, for: target)
        }
        do throws(Refusal) {
            // So that enough time is left for the still.
            let made = try share(of: 2).finish(artwork, wearing: watermarks, for: target)
            // Side files are made from the same frames, and the share may be used up.
            if case .moving(let frames, _) = made.shown { frames.budget = budget }
            return made
        } catch {
            let still = Artwork.still(try marks.put(watermarks, on: canvas, within: budget))
            let file = try encode(still, for: target)
            let detail = "a mark cannot move on it: \(error.detail)"
            steps.warnOnce(named(target, Warning("mark-stands-still", detail)))
            return (file, still)
        }
    }

    /// Adds the files for further targets to `made`; one that cannot be made does not hold up the others.
    func addRenditions(
        of picture: Picture, beside sticker: Rendition?, to made: inout MadeSticker
    ) {
        // Targets with the same rules and marks share a file.
        var renditions: [RenditionKey: Rendition] = [:]
        renditions[RenditionKey(recipe, recipe.targets[0])] = sticker
        for (index, target) in recipe.targets.enumerated().dropFirst() {
            let key = RenditionKey(recipe, target)
            do throws(Refusal) {
                if renditions[key] == nil {
                    if picture.moves, target.moving == nil {
                        throw Refusal.takesNone(of: target, moves: true)
                    }
                    let run = share(of: recipe.targets.count - index)
                    let artwork = try run.draw(picture, on: target.canvas)
                    renditions[key] = try run.rendition(of: artwork, in: picture, for: target).file
                }
            } catch {
                let shortfall = Shortfall(target: target.name, error)
                steps.note("shortfall", since: steps.now, "\(target.name): \(shortfall.explained)")
                made.shortfalls.append(shortfall)
            }
            if let rendition = renditions[key] {
                made.files.append(rendition.file(.rendition, for: target))
            }
        }
    }

    /// The log names further targets.
    func named(_ target: Target, _ detail: String) -> String {
        target == recipe.targets[0] ? detail : "\(target.name): \(detail)"
    }

    /// The log names further targets.
    func named(_ target: Target, _ warning: Warning) -> Warning {
        Warning(warning.code, named(target, warning.detail))
    }
}

extension Refusal {
    /// The refusal of a platform that has no form for such stickers.
    static func takesNone(of target: Target, moves: Bool) -> Refusal {
        let kind = moves ? "moving" : "still"
        let why = moves ? target.withoutMoving : nil
        return Refusal(
            .notTaken, why ?? "the target has no rules for \(kind) stickers",
            remedy: "nothing has to be done; if the platform takes them by now, add "
                + "targets.\(target.name).\(kind)")
    }
}
