/// A ground on which pictures are shown; `look.css` defines each by its name.
enum Ground: String, CaseIterable, Sendable {
    case white, black, checker, day, night

    /// A picture on several grounds. Screen readers hear of it once.
    ///
    /// - Parameters:
    ///   - address: the picture.
    ///   - what: what it is.
    ///   - grounds: from left to right.
    /// - Returns: its markup.
    static func figure(
        _ address: String, _ what: String, on grounds: [Ground] = allCases
    ) -> HTML {
        let pictures = grounds.enumerated().map { index, ground -> HTML in
            """
            <div data-backdrop="\(ground.rawValue)"><img src="\(address)" alt="\(index == 0 ? what : "")" loading="lazy"></div>
            """
        }
        return """
            <figure><div class="grounds">\(pictures)</div><figcaption>\(what)</figcaption></figure>
            """
    }
}
