import Logging
import StickerHTTP
import StickerStore
import StickerValues

/// Carries out forms with words and files: they save, and lead to a page that says so and offers to undo it, or show
/// themselves again with what was filled in.
struct WordsActions {
    /// The reply to a visitor.
    enum Reply {
        case seeOther(String)
        case again(HTML)
        /// Shows the form filled in; nothing was to be saved.
        case shown(HTML)
    }

    let desk: WordsDesk
    let outcomes: Outcomes
    let store: LibraryStore
    let stickers: StickerPages
    let library: LibraryPages
    let logger: Logger
    let history: LibraryHistory
    /// The largest picture.
    let bytesMax: Int
    /// The sender of the form, and where it came from.
    let person: Person
    let client: String

    private typealias Texts = [String: (was: String?, now: String)]

    /// Saves the words of a sticker.
    ///
    /// - Throws: `WebError`, or `StoreError`.
    func save(_ sticker: StickerID, _ form: [String: String]) throws -> Reply {
        switch form["part"] {
        case "file": return try rename(sticker, form)
        case "removal": return try remove(sticker, form)
        case "cover": return try represent(sticker, form)
        default: break
        }
        let fields = WordsForm(fields: WordsField.ofSticker)
        guard let entry = try entry(of: sticker, fields.fields, fields.texts(in: form)) else {
            throw Self.isGone(sticker.rawValue)
        }
        let result = desk.save([entry])
        let address = "/stickers/\(sticker.rawValue.inAddress)"
        guard !result.failures.isEmpty else { return told(result.changes, on: address) }
        let tried = tried(result, form, on: address)
        guard let html = try stickers.one(sticker, tried: tried) else { throw WebError.nothingHere }
        return .again(html)
    }

    /// Saves words of a category, of stickers in it, or their order, as `part` says.
    ///
    /// - Throws: `WebError`, or `StoreError`.
    func save(_ category: CategoryID, _ form: [String: String]) throws -> Reply {
        let first = max(0, form["from"].flatMap { Int($0) } ?? 0)
        let ids = (form["stickers"] ?? "").split(separator: ",").map { String($0) }
        guard ids.count <= LibraryPages.stickersListed else { throw WebError.nothingHere }
        var result = WordsDesk.Result()
        var remark: String?
        switch form["part"] {
        case "category":
            let fields = WordsForm(fields: WordsField.ofCategory)
            guard let file = desk.file(try store.operations.wording(of: category)?.file) else {
                throw Self.isGone(category.rawValue)
            }
            result = desk.save([
                .init(file: file, fields: fields.fields, texts: fields.texts(in: form))
            ])
        case LookPanel.part:
            guard let file = desk.file(try store.operations.wording(of: category)?.file) else {
                throw Self.isGone(category.rawValue)
            }
            let now = LookForm(sent: form).text
            guard form["try"] == nil else {
                let tried = TriedWords(form: form, failures: [])
                let html = try library.one(category, from: first, isEditing: false, tried: tried)
                guard let html else { throw WebError.nothingHere }
                return .shown(html)
            }
            let texts = [LookForm.field.key: (was: form["was-look"], now: now)]
            result = desk.save([.init(file: file, fields: [LookForm.field], texts: texts)])
        case "stickers":
            (result, remark) = try save(ids, WordsField.inPlace) { id in
                var fields = WordsForm(fields: WordsField.inPlace)
                fields.suffix = "-\(id)"
                return fields.texts(in: form)
            }
        case "many":
            var texts: Texts = [:]
            for field in WordsField.ofMany {
                let text = (form[field.key] ?? "").trimmed
                if !text.isEmpty { texts[field.key] = (nil, text) }
            }
            (result, remark) = try save(ids, WordsField.ofMany) { [texts] _ in texts }
        case "order":
            (result, remark) = try ListOrder(desk: desk, operations: store.operations)
                .save(form, in: category)
        default: throw WebError.nothingHere
        }
        let isEditing = form["edit"] != nil
        let address =
            "/library/\(category.rawValue.inAddress)?from=\(first)" + (isEditing ? "&edit=1" : "")
        guard !result.failures.isEmpty else { return told(result.changes, on: address, remark) }
        let html = try library.one(
            category, from: first, isEditing: isEditing, tried: tried(result, form, on: address))
        guard let html else { throw WebError.nothingHere }
        return .again(html)
    }

    /// Saves one publisher for several categories that have none.
    ///
    /// - Throws: `WebError`, or `StoreError`.
    func savePublisher(_ form: [String: String]) throws -> Reply {
        let fields = WordsField.ofCategory.filter { $0.key == "publisher" }
        let publisher = (form["publisher"] ?? "").trimmed
        let ids = (form["categories"] ?? "").split(separator: ",").map { String($0) }
        guard form["part"] == "publisher", !publisher.isEmpty, ids.count <= WordsDesk.categoriesMax
        else { throw WebError.nothingHere }
        let entries = try ids.compactMap { id -> WordsDesk.Entry? in
            let wording = try store.operations.wording(of: CategoryID(rawValue: id))
            return desk.file(wording?.file).map {
                .init(file: $0, fields: fields, texts: ["publisher": (was: "", now: publisher)])
            }
        }
        let result = desk.save(entries)
        let failed = Self.sentence(result.failures)
        guard !result.changes.isEmpty || failed == nil else {
            note(result.changes.map(Step.words))
            throw WebError(
                status: 409, message: failed ?? "", remedy: "load the page again, and look there")
        }
        return told(result.changes, on: "/", failed)
    }

    /// Undoes the changes of an earlier form.
    ///
    /// - Throws: `WebError` if they are no longer known.
    func undo(_ number: Int) throws -> Reply {
        guard let (steps, address) = outcomes.takeSteps(number, by: person) else {
            throw WebError(
                status: 409, message: "that cannot be undone",
                remedy:
                    "change it again; the last \(Outcomes.kept) changes can be undone once, each by "
                    + "the person who made it"
            )
        }
        var (done, failed, faults): ([Step], [Step], [String]) = ([], [], [])
        for step in steps.reversed() {
            do throws(Step.Fault) {
                done.append(try step.undone())
            } catch {
                failed.append(step)
                faults.append(error.sentence)
            }
        }
        approve(done)
        note(done)
        let others = faults.count > 1 ? "; and \(faults.count - 1) more" : ""
        let fault = faults.first.map { "; \($0)\(others)" } ?? ""
        let sentence = "undone in \(done.count.counted("file", "files"))\(fault)"
        // If nothing could be undone, it may be later.
        let next = done.isEmpty ? Array(failed.reversed()) : done
        return seeOther(address, outcomes.keep(sentence, undoing: next, on: address, by: person))
    }

    // MARK: Files

    /// An editor who brings pictures back has seen them.
    private func approve(_ steps: [Step]) {
        guard person.may(.library) else { return }
        for case .move(let back) in steps where RemovedFiles.origin(of: back.from) == nil {
            guard [.picture, .cover].contains(FileKind.of(back.from)),
                let content = SourceReader.content(of: back.from)
            else { continue }
            do throws(StoreError) {
                try store.operations.approve(content, at: back.from, by: person.name)
            } catch {
                logger.error("a picture waits for review", metadata: ["detail": "\(error)"])
            }
        }
    }

    /// Gives the file of a sticker another name, or another category.
    private func rename(_ sticker: StickerID, _ form: [String: String]) throws -> Reply {
        let (file, category) = try file(of: sticker, form)
        var target = file
        target.name = try DropName.picture((form["name"] ?? "").trimmed)
        let chosen = form["category"].map(CategoryID.init(rawValue:)) ?? category
        if chosen != category {
            guard let words = try store.catalog.wordsFile(of: chosen) else {
                throw Self.isGone(chosen.rawValue)
            }
            (target.drop, target.directory) = (words.drop, words.directory)
        }
        try DropName.checkType(target)
        guard FileKind.of(target) == .picture else {
            throw WebError(
                status: 400, message: "a file of this name is the picture of the category",
                remedy: "choose another name; nothing was changed")
        }
        let address = "/stickers/\(sticker.rawValue.inAddress)"
        guard target != file else {
            return seeOther(address, outcomes.keep("nothing was changed", by: person))
        }
        let move = FileMove(from: file, to: target)
        // An editor has seen it.
        if chosen != category, person.may(.library),
            let content = try store.catalog.liveProduct(of: file)?.file
        {
            try store.operations.approve(content, at: target, by: person.name)
        }
        let steps = [.move(back: try move.carryOut())] + listed(move, in: category)
        note(steps, "moved it here from \(file.display)")
        return seeOther(
            address,
            outcomes.keep("moved to \(target.display)", undoing: steps, on: address, by: person))
    }

    /// Moves the file of a sticker where the daemon does not see it. The sticker goes after `publish.deleteGraceSeconds`.
    private func remove(_ sticker: StickerID, _ form: [String: String]) throws -> Reply {
        let (file, category) = try file(of: sticker, form)
        let steps = [Step.move(back: try RemovedFiles.removal(of: file).carryOut())]
        note(steps, "removed it")
        let sentence = "\(file.display) is removed; its sticker leaves shortly"
        let address = "/library/\(category.rawValue.inAddress)"
        return seeOther(
            address, outcomes.keep(sentence, undoing: steps, on: address, by: person))
    }

    /// Makes a copy of a sticker's file the picture of its category.
    private func represent(_ sticker: StickerID, _ form: [String: String]) throws -> Reply {
        let (file, _) = try file(of: sticker, form)
        guard let folder = file.categoryFolder else {
            throw WebError(
                status: 409, message: "files directly in a drop share a category without a picture",
                remedy: "move the file to another category")
        }
        let ending = String(decoding: FileName.fileExtension(file.name).utf8, as: UTF8.self)
        let target = SourceKey(
            drop: file.drop, directory: folder, name: Array("cover.\(ending)".utf8))
        let copy = try FileMove.copying(file, to: target, bytesMax: bytesMax)
        var steps: [Step] = []
        do {
            for cover in FileMove.covers(beside: target) {
                let removal = RemovedFiles.removal(of: cover)
                steps.append(.move(back: try removal.carryOut()))
            }
            steps.append(.move(back: try copy.carryOut()))
        } catch {
            for step in steps.reversed() { _ = try? step.undone() }
            throw error
        }
        note(steps, "made it the picture of the category")
        let address = "/stickers/\(sticker.rawValue.inAddress)"
        let sentence = "\(target.display) is the picture of the category"
        return seeOther(address, outcomes.keep(sentence, undoing: steps, on: address, by: person))
    }

    /// Puts a removed file back.
    ///
    /// - Throws: `WebError` if there is none, or its place is taken.
    func putBack(_ form: [String: String], _ removed: RemovedFiles) throws -> Reply {
        guard let file = removed.file(at: form["file"] ?? "") else { throw WebError.nothingHere }
        var back = file.back
        // A present picture goes where this one was.
        back.exchanges = back.isTaken
        let steps = [Step.move(back: try back.carryOut())]
        approve(steps)
        note(steps, "put it back")
        let sentence = "\(file.back.to.display) is back"
        return seeOther("/trash", outcomes.keep(sentence, undoing: steps, on: "/trash", by: person))
    }

    /// The file of a sticker, if it is still the one that the form showed, and its category.
    private func file(
        of sticker: StickerID, _ form: [String: String]
    ) throws -> (SourceKey, CategoryID) {
        let words = desk.file(try store.operations.wording(of: sticker)?.file)
        guard let words, words.kind == .sticker,
            let category = try store.operations.story(of: sticker.rawValue)?.category
        else { throw Self.isGone(sticker.rawValue) }
        let file = SideFile.picture(of: words.key)
        guard form["was"] == FileName.display(file.relativePath) else {
            throw WebError(
                status: 409, message: "the file of this sticker is \(file.display)",
                remedy: "load the page again; nothing was changed")
        }
        return (file, category)
    }

    /// A renamed file keeps its place in the list of its category.
    private func listed(_ move: FileMove, in category: CategoryID) -> [Step] {
        guard move.from.directory == move.to.directory,
            let file = desk.file(try? store.catalog.wordsFile(of: category))
        else { return [] }
        let change = try? file.change { members throws(WordsFileError) in
            guard case .array(var list)? = members["order"],
                let place = list.firstIndex(of: .string(move.from.listed))
            else { return [] }
            list[place] = .string(move.to.listed)
            return [("order", .array(list))]
        }
        return change.map { [.words($0)] } ?? []
    }

    // MARK: Entries

    private func save(
        _ ids: [String], _ fields: [WordsField], _ texts: (String) -> Texts
    ) throws -> (WordsDesk.Result, String?) {
        let entries = try ids.compactMap { id in
            try entry(of: StickerID(rawValue: id), fields, texts(id))
        }
        let gone = ids.count - entries.count
        let remark = "\(gone.counted("sticker is", "stickers are")) gone or cannot be edited here"
        return (desk.save(entries), gone > 0 ? remark : nil)
    }

    private func entry(
        of sticker: StickerID, _ fields: [WordsField], _ texts: Texts
    ) throws -> WordsDesk.Entry? {
        guard let wording = try store.operations.wording(of: sticker),
            let file = desk.file(wording.file)
        else { return nil }
        return .init(file: file, kept: wording.kept, fields: fields, texts: texts)
    }

    private static func isGone(_ name: String) -> WebError {
        WebError(
            status: 409, message: "nothing was saved: \(name) is gone, or cannot be edited here",
            remedy: "go back to copy what you wrote; its file may have another name now")
    }

    // MARK: Replies

    private func told(
        _ changes: [WordsFile.Change], on address: String, _ remark: String? = nil
    ) -> Reply {
        let steps = changes.map(Step.words)
        note(steps)
        var sentence =
            switch changes.count {
            case 0: "nothing was changed"
            case 1: "saved in \(changes[0].file.shownName)"
            default: "saved in \(changes.count) files"
            }
        if let remark { sentence += "; \(remark)" }
        return seeOther(address, outcomes.keep(sentence, undoing: steps, on: address, by: person))
    }

    private func tried(
        _ result: WordsDesk.Result, _ form: [String: String], on address: String
    ) -> TriedWords {
        let steps = result.changes.map(Step.words)
        note(steps)
        var tried = TriedWords(form: form, failures: result.failures)
        guard !result.changes.isEmpty else { return tried }
        tried.saved = result.changes.count
        let sentence = "saved in \(tried.saved.counted("file", "files"))"
        tried.undo = outcomes.keep(sentence, undoing: steps, on: address, by: person)
        return tried
    }

    private func seeOther(_ address: String, _ outcome: Int) -> Reply {
        .seeOther("\(address)\(address.contains("?") ? "&" : "?")did=\(outcome)")
    }

    /// The first failure, and how many more there are; `nil` for none.
    private static func sentence(
        _ failures: [(entry: WordsDesk.Entry, error: WordsFileError)]
    ) -> String? {
        failures.first.map { failure in
            let others = failures.count > 1 ? "; and \(failures.count - 1) more" : ""
            return failure.error.sentence(failure.entry.file) + others
        }
    }

    /// Logs steps, and adds them to the history.
    ///
    /// - Parameters:
    ///   - steps: all of one form.
    ///   - sentence: what became of a moved file.
    private func note(_ steps: [Step], _ sentence: String = "undid a change") {
        guard !steps.isEmpty else { return }
        history.note(steps.map { $0.change(sentence) }, by: person)
        let names = steps.prefix(5).map(\.shownName).joined(separator: ", ")
        let others = steps.count > 5 ? " and \(steps.count - 5) more" : ""
        logger.notice(
            "files were changed",
            metadata: person.metadata(["files": "\(names)\(others)", "client": "\(client)"]))
    }
}
