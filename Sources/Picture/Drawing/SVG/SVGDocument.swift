import CPango
import CRSVG
import StickerCodecs
import StickerRaster
import StickerValues

/// Owns a parsed drawing. Corresponds to `RsvgHandle`.
///
/// It has no base address, so it cannot refer to other files.
final class SVGDocument {
    private let handle: UnsafeMutablePointer<RsvgHandle>
    /// The drawn part of the plane; its proportions are those of the picture.
    let view: View
    /// The texts that we draw, above librsvg's drawing.
    private let texts: [FittedText]

    /// A rectangle in user units, of a size above 0.
    struct View {
        var x = 0.0
        var y = 0.0
        var width: Double
        var height: Double
        /// Whether the document defines it, so that librsvg itself fits it into a picture.
        var isOwn = true

        fileprivate var isUsable: Bool {
            [x, y, width, height].allSatisfy(\.isFinite) && width > 0 && height > 0
        }
    }

    /// Parses the XML.
    init(_ source: SourceBytes) throws(CodecError) {
        let taken = source.withUnsafeBytes { FittedText.taken(from: $0) }
        texts = taken?.texts ?? []
        let rest = taken.map { SourceBytes($0.rest) } ?? source
        let handle = try rest.withUnsafeBytes { bytes throws(CodecError) in try Self.parse(bytes) }
        guard let view = Self.view(of: handle) else {
            g_object_unref(handle)
            throw CodecError(.badDimensions, .svg, "is empty, or has no usable size")
        }
        (self.handle, self.view) = (handle, view)
    }

    deinit { g_object_unref(handle) }

    private static func parse(
        _ bytes: UnsafeRawBufferPointer
    ) throws(CodecError) -> UnsafeMutablePointer<RsvgHandle> {
        var error: UnsafeMutablePointer<GError>?
        let handle = rsvg_handle_new_from_data(
            bytes.assumingMemoryBound(to: UInt8.self).baseAddress, gsize(bytes.count), &error)
        guard let handle else { throw fault(error) }
        // The resolution of style sheets; librsvg's default is 90.
        rsvg_handle_set_dpi(handle, 96)
        return handle
    }

    /// By width and height, else by the viewBox, else by the drawn shapes.
    private static func view(of handle: UnsafeMutablePointer<RsvgHandle>) -> View? {
        var (width, height) = (0.0, 0.0)
        if rsvg_handle_get_intrinsic_size_in_pixels(handle, &width, &height) != 0 {
            let view = View(width: width, height: height)
            return view.isUsable ? view : nil
        }
        if let box = box(of: handle) { return box.isUsable ? box : nil }
        var (ink, page) = (RsvgRectangle(), page)
        guard rsvg_handle_get_geometry_for_layer(handle, nil, &page, &ink, nil, nil) != 0 else {
            return nil
        }
        let view = View(
            x: ink.x, y: ink.y, width: ink.width, height: ink.height, isOwn: false)
        return view.isUsable ? view : nil
    }

    /// Whether the document defines its width and height.
    var hasSize: Bool {
        var (width, height) = (0.0, 0.0)
        return rsvg_handle_get_intrinsic_size_in_pixels(handle, &width, &height) != 0
    }

    /// The reference of percentages in a document without any size.
    private static let page = RsvgRectangle(x: 0, y: 0, width: 512, height: 512)

    /// Draws all of the view on a picture of `size`.
    ///
    /// - Returns: straight pixels.
    /// - Throws: `CodecError` if there is too much to draw, or memory is short.
    func draw(size: PixelSize) throws(CodecError) -> PixelBuffer {
        let image = CairoImage(size)
        var error: UnsafeMutablePointer<GError>?
        image.draw { cairo in
            var viewport = RsvgRectangle(
                x: 0, y: 0, width: Double(size.width), height: Double(size.height))
            if !view.isOwn {
                cairo_scale(
                    cairo, viewport.width / view.width, viewport.height / view.height)
                cairo_translate(cairo, -view.x, -view.y)
                viewport = Self.page
            }
            rsvg_handle_render_document(handle, cairo, &viewport, &error)
            guard !texts.isEmpty, error == nil else { return }
            if view.isOwn { enterUserSpace(cairo, size) }
            for text in texts { text.draw(cairo) }
        }
        if error != nil { throw Self.fault(error) }
        guard let pixels = image.pixels() else {
            throw CodecError(.outOfMemory, .svg, "memory is short for \(size) pixels")
        }
        return pixels
    }

    /// Centres the viewBox, or else the whole view, in a picture.
    private func enterUserSpace(_ cairo: OpaquePointer, _ size: PixelSize) {
        let box = Self.box(of: handle) ?? view
        let (width, height) = (Double(size.width), Double(size.height))
        let scale = min(width / box.width, height / box.height)
        cairo_translate(
            cairo, (width - box.width * scale) / 2, (height - box.height * scale) / 2)
        cairo_scale(cairo, scale, scale)
        cairo_translate(cairo, -box.x, -box.y)
    }

    /// The viewBox.
    private static func box(of handle: UnsafeMutablePointer<RsvgHandle>) -> View? {
        var (hasWidth, hasHeight, hasBox): (gboolean, gboolean, gboolean) = (0, 0, 0)
        var (widthLength, heightLength) = (RsvgLength(), RsvgLength())
        var box = RsvgRectangle()
        rsvg_handle_get_intrinsic_dimensions(
            handle, &hasWidth, &widthLength, &hasHeight, &heightLength, &hasBox, &box)
        guard hasBox != 0 else { return nil }
        return View(x: box.x, y: box.y, width: box.width, height: box.height)
    }

    private static func fault(_ error: UnsafeMutablePointer<GError>?) -> CodecError {
        guard let error else { return CodecError(.malformed, .svg, "librsvg gives no reason") }
        defer { g_error_free(error) }
        let words = CodecError.clause(error.pointee.message)
        // Its own limits: 1,000,000 elements, 500,000 references, and those of libxml2.
        let isLimit = words.contains("exceeded") || words.contains("limit")
        return CodecError(isLimit ? .tooComplex : .malformed, .svg, place(in: words))
    }

    /// `line 3 column 7: entity 'x' not defined`, from librsvg's message about XML.
    private static func place(in words: String) -> String {
        guard let line = words.firstRange(of: "line "),
            let end = words.firstRange(of: " of data: "), line.upperBound < end.lowerBound
        else { return words }
        let fault = words[end.upperBound...].trimmingSuffix(while: \.isWhitespace)
        return "\(words[line.lowerBound..<end.lowerBound]): \(fault)"
    }
}
