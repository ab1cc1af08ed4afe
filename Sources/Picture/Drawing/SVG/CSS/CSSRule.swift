/// Declarations for the elements of one selector.
struct CSSRule {
    var selector: CSSSelector
    var declarations: [CSSDeclaration]
    /// The name of its cascade layer, with the outer ones; `nil` outside of all layers.
    var layer: String?
}
