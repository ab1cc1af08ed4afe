import StickerCodecs
import StickerValues

/// Frames of a moving picture as finished canvases, with random access.
protocol FrameSource: AnyObject {
    /// The size of every canvas in pixels.
    var canvasSize: PixelSize { get }
    /// How often it is played; 0 means forever.
    var loopCount: Int { get }
    /// Whether the art may be translucent.
    var hasAlpha: Bool { get }
    /// The time limit of the current work.
    var budget: WorkBudget { get set }
    /// The canvas of a frame.
    func canvas(_ index: Int) throws(Refusal) -> Canvas
    /// Keeps the canvases of these frames for as long as the source lives; for samples of long animations.
    func keep(_ indices: [Int]) throws(Refusal)
}
