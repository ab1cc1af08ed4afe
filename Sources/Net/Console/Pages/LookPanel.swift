import StickerConfiguration
import StickerStore
import StickerValues

/// The part of the page of a category where its look is tried and saved.
struct LookPanel {
    /// The name of the form.
    static let part = "look"
    /// How many pictures show what is tried.
    private static let pictures = 4
    /// How many stickers are looked at for stills, which are drawn sooner.
    private static let candidates = 40

    let layout: Layout
    let store: LibraryStore
    /// Whether previews can be drawn here.
    let canPreview: Bool
    /// Reads the present settings.
    let configuration: () -> Configuration

    /// The panel.
    ///
    /// - Parameters:
    ///   - category: the category.
    ///   - file: its side file.
    ///   - tried: what was filled in and not saved.
    /// - Returns: its markup.
    /// - Throws: `StoreError` if the database cannot be read.
    func html(of category: CategoryID, _ file: WordsFile, _ tried: TriedWords?) throws -> HTML {
        let tried = tried?.isAboutLook == true ? tried : nil
        let value: JSONValue?
        do throws(WordsFileError) {
            value = try file.members()?[LookForm.field.key]
        } catch {
            return panel("<p class=\"bad\">\(error.sentence(file))</p>", isOpen: tried != nil)
        }
        var present: JSONObject = [:]
        if case .object(let members)? = value { present = members }
        let form = tried.map { LookForm(sent: $0.form) } ?? LookForm(look: present)
        let was = tried?.shownBefore ?? LookForm.field.text(of: value)
        return panel(try self.form(category, form, was: was), isOpen: tried != nil)
    }

    private func panel(_ content: HTML, isOpen: Bool) -> HTML {
        """
        <details class="panel" id="look"\(isOpen ? " open" as HTML : "")>\
        <summary class="action">Look: outline, colour, marks</summary>\(content)</details>
        """
    }

    private func form(_ category: CategoryID, _ form: LookForm, was: String) throws -> HTML {
        let configuration = configuration()
        var names = try store.catalog.names(of: category)
        names.look = nil
        let settings = configuration.settings(of: names)
        let address = "/library/\(category.rawValue.inAddress)"
        return layout.form(
            to: address, [("part", Self.part), ("was-look", was)],
            """
            \(number("Outline, pixels", .outlinePixels, form, settings.outline.pixels, CategoryLook.outlineRange))\
            \(color("Colour of the outline", .outlineColor, form, settings.outline.color))\
            \(choice("Tint", .tintMode, form, TintMode.allCases.map(\.rawValue), settings.tint.mode.rawValue))\
            \(color("Colour of the tint", .tintColor, form, settings.tint.color))\
            \(number("Margin, pixels", .marginPixels, form, settings.marginPixels, CategoryLook.marginRange))\
            \(choice("Cut transparent borders", .trim, form, ["yes", "no"], settings.trim ? "yes" : "no"))\
            \(marks(form, configuration, settings))\(try previews(category, form, address))\
            <button class="main">Save</button><button name="try" value="1" data-try>Preview</button>
            """, kind: "words fields look")
    }

    // MARK: Controls

    private func number(
        _ label: String, _ name: LookForm.Name, _ form: LookForm, _ without: Int,
        _ range: ClosedRange<Int>
    ) -> HTML {
        """
        <label class="field"><span>\(label)</span><input type="number" name="\(name.rawValue)" \
        min="\(String(range.lowerBound))" max="\(String(range.upperBound))" value="\(form.text(name))" \
        placeholder="\(String(without))"></label>
        """
    }

    private func color(
        _ label: String, _ name: LookForm.Name, _ form: LookForm, _ without: String
    ) -> HTML {
        """
        <label class="field"><span>\(label)</span><input name="\(name.rawValue)" value="\(form.text(name))" \
        placeholder="\(without)" pattern="#[0-9A-Fa-f]{6}" title="#RRGGBB" autocomplete="off" data-color></label>
        """
    }

    private func choice(
        _ label: String, _ name: LookForm.Name, _ form: LookForm, _ values: [String],
        _ without: String
    ) -> HTML {
        let present = form.text(name)
        return """
            <label class="field"><span>\(label)</span><select name="\(name.rawValue)">\
            <option value="">as configured: \(without)</option>\(options(values, present))</select></label>
            """
    }

    private func options(_ values: [String], _ present: String?) -> HTML {
        HTML(
            values.map { value in
                let selected: HTML = value == present ? " selected" : ""
                return "<option value=\"\(value)\"\(selected)>\(value)</option>"
            })
    }

    private func marks(
        _ form: LookForm, _ configuration: Configuration, _ settings: StickerSettings
    ) -> HTML {
        let isOwn = form.text(.marks) == "own"
        let without = settings.watermarks.count
        let others = form.otherMarks
        let kept: HTML =
            others > 0
            ? "<p class=\"quiet\">\(others.counted("other mark stays", "other marks stay")) as category.json has them.</p>"
            : ""
        let names = (configuration.marks?.pictures ?? [:]).keys.sorted()
        let rows = form.marks(names).map { mark -> HTML in
            let name = mark.name
            let elsewhere: HTML =
                mark.corner == nil ? "<option value=\"\" selected>as it is</option>" : ""
            return """
                <li><label><input type="checkbox" name="mark-\(name)"\(mark.isOn ? " checked" : "" as HTML)> \(name)</label>\
                <label><span class="quiet">Place</span> <select name="corner-\(name)" aria-label="\(name): place">\
                \(elsewhere)\(options(LookForm.Corner.allCases.map(\.rawValue), mark.corner?.rawValue))</select></label>\
                <label><span class="quiet">Width, %</span> <input type="number" name="size-\(name)" min="1" max="100" \
                step="any" value="\(mark.size)" aria-label="\(name): width in percent"></label>\
                <label><span class="quiet">Opacity, %</span> <input type="number" name="opacity-\(name)" min="0" max="100" \
                step="any" value="\(mark.opacity)" aria-label="\(name): opacity in percent"></label></li>
                """
        }
        let folder: HTML =
            configuration.marks == nil
            ? "<p class=\"quiet\">An operator names a folder of marks as marks in the configuration.</p>"
            : names.isEmpty ? "<p class=\"quiet\">The folder of marks is empty.</p>" : ""
        return """
            <fieldset class="marks"><legend>Marks</legend><label class="field"><span>Which</span><select name="marks">\
            <option value="">as configured: \(without.counted("mark", "marks"))</option>\
            <option value="own"\(isOwn ? " selected" : "" as HTML)>those chosen here</option></select></label>\
            \(kept)\(folder)<ul>\(rows)</ul></fieldset>
            """
    }

    // MARK: Previews

    private func previews(
        _ category: CategoryID, _ form: LookForm, _ address: String
    ) throws -> HTML {
        guard canPreview else {
            return "<p class=\"quiet\">Previews need the package stickerd-workers.</p>"
        }
        let stickers = try store.operations.stickers(in: category, from: 0, limit: Self.candidates)
            .filter { !$0.path.hasSuffix(FileName.templateSuffix) }
        let chosen =
            (stickers.filter { !$0.product.animated } + stickers.filter(\.product.animated))
            .prefix(Self.pictures)
        let figures = chosen.map { sticker -> HTML in
            let id = sticker.identifier.rawValue.inAddress
            let picture = "\(address)/look/\(id)?look=\(form.text.inAddress)"
            return
                "<div data-preview=\"\(address)/look/\(id)\">\(Ground.figure(picture, sticker.title, on: [.white, .night]))</div>"
        }
        guard !figures.isEmpty else { return "" }
        return
            "<div class=\"tried\">\(figures)<p class=\"quiet\" role=\"status\" data-said></p></div>"
    }
}

extension TriedWords {
    /// The look that the form showed before.
    fileprivate var shownBefore: String? { failures.isEmpty ? form["was-look"] : nil }
}
