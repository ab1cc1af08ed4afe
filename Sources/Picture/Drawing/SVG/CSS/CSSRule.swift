/// Declarations for the elements of one selector.
struct CSSRule {
    var selector: CSSSelector
    var declarations: [CSSDeclaration]
    /// The name of its cascade layer, with those around it; `nil` outside of all.
    var layer: String?
}
