import StickerCodecs
import StickerModel

/// Frames of something that moves as finished canvases, any of them, as often as a search requires.
protocol FrameSource: AnyObject {
    /// The size of every canvas in pixels.
    var canvasSize: PixelSize { get }
    /// How often it is played; 0 means forever.
    var loopCount: Int { get }
    /// Whether the art can be translucent inside.
    var hasAlpha: Bool { get }
    /// The time that the current work may take.
    var budget: WorkBudget { get set }
    /// The canvas of a frame.
    func canvas(_ index: Int) throws(Refusal) -> Canvas
    /// Keeps the canvases of these frames for as long as the source lives; for samples of long animations.
    func keep(_ indices: [Int]) throws(Refusal)
}
