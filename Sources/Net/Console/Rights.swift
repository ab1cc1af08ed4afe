import StickerHTTP
import StickerStore
import StickerValues

/// The rights that requests take, decided here for every route.
struct Rights {
    let operations: Operations
    /// Whether an editor publishes what comes into a category.
    let isReviewed: (CategoryID) throws -> Bool

    /// The right to see a page or a file.
    ///
    /// - Parameters:
    ///   - route: its route.
    ///   - values: the values in its path.
    /// - Returns: the right; `nil` where everybody who came in may.
    /// - Throws: `StoreError` if the database cannot be read.
    func toSee(_ route: ConsoleRoute, _ values: [String]) throws -> Person.Right? {
        switch route {
        case .overview, .jobs, .log: return .library
        case .trash, .plan: return .operation
        case .category, .packs, .look: return .category(CategoryID(rawValue: values[0]))
        case .pack: return .category(CategoryID(rawValue: values[1]))
        case .sticker: return right(try operations.story(of: values[0])?.category)
        case .job, .source, .review: return try ofJob(values[0])
        // The list leaves out what a person may not see; a published file is known by its hash to who may see it.
        case .library, .published, .parts, .state, .asset, .enter: return nil
        case .drop, .undo, .action: return nil
        }
    }

    /// The rights to send a form.
    ///
    /// - Parameters:
    ///   - route: its route.
    ///   - values: the values in its path.
    ///   - form: its fields.
    /// - Returns: all rights that it takes.
    /// - Throws: `StoreError` if the database cannot be read.
    func toSend(
        _ route: ConsoleRoute?, _ values: [String], _ form: [String: String]
    ) throws -> [Person.Right] {
        switch route {
        case .sticker:
            let own = try ofSticker(values[0])
            switch form["part"] {
            case "removal": return [own, .operation]
            case "file":
                guard let name = form["category"] else { return [own] }
                let target = CategoryID(rawValue: name)
                guard own != .category(target) else { return [own] }
                // A file that is moved stays published.
                let moved = Person.Right.category(target)
                return try isReviewed(target) ? [own, moved, .library] : [own, moved]
            default: return [own]
            }
        case .category:
            let stickers = (form["stickers"] ?? "").split(separator: ",")
            return [.category(CategoryID(rawValue: values[0]))]
                + (try stickers.map { try ofSticker(String($0)) })
        case .library: return [.library]
        case .trash: return [.operation]
        case .action: return try ofVerb(Verb(rawValue: values[0]), form)
        // A change is undone by the person who made it.
        case .undo: return []
        default: return [.operation]
        }
    }

    /// The right to add a picture.
    ///
    /// - Parameter query: names a category, or the folder of one that may be new.
    /// - Returns: the right.
    func toDrop(_ query: [String: String]) -> Person.Right {
        query["category"].map { .category(CategoryID(rawValue: $0)) } ?? .library
    }

    private func ofVerb(_ verb: Verb?, _ form: [String: String]) throws -> [Person.Right] {
        guard let verb, verb.right != .operation else { return [.operation] }
        // A form with several takes what each of them takes.
        var rights: [Person.Right] = verb.right.map { [$0] } ?? []
        if let job = form["job"] { rights.append(try ofJob(job)) }
        for job in (form["jobs"] ?? "").split(separator: ",") {
            rights.append(try ofJob(String(job)))
        }
        if let sticker = form["sticker"] {
            // The verb takes former ids, too.
            let story = try operations.story(of: sticker)
            rights += [try ofSticker(sticker), right(story?.category)]
        }
        return rights.isEmpty || form["reason"] != nil ? rights + [.library] : rights
    }

    private func ofSticker(_ id: String) throws -> Person.Right {
        right(try operations.category(of: StickerID(rawValue: id)))
    }

    private func ofJob(_ number: String) throws -> Person.Right {
        let job = try Int64(number).flatMap { try operations.job(JobID(rawValue: $0)) }
        return right(job?.job.category)
    }

    /// Editors may know that there is nothing.
    private func right(_ category: CategoryID?) -> Person.Right {
        category.map(Person.Right.category) ?? .library
    }
}
