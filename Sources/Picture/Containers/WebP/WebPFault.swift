/// One thing that is wrong with the container of a WebP file.
package struct WebPFault: Hashable, Sendable {
    /// What a fault is about.
    package enum Concern: Hashable, Sendable {
        /// Sizes and padding that do not add up, and bytes that belong to no chunk.
        case bytes
        /// Chunks that are missing, or that stand where others belong.
        case order
        /// A VP8X chunk that contradicts the rest of the file.
        case header
        /// A frame that leaves the canvas, or whose header is wrong.
        case frame
        /// A frame that is too short, or a whole that lasts another time than expected.
        case duration
        /// Another number of frames than expected.
        case frameCount
        /// A coded picture that is damaged, or of another size than the container says.
        case picture
        /// Lossy beside lossless frames, which the format allows.
        case mixture
    }

    /// What it is about.
    package var concern: Concern
    /// What is wrong, for people.
    package var clause: String
}
