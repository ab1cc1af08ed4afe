/// A fault of the container of a WebP file.
package struct WebPFault: Hashable, Sendable {
    /// The subject of a fault.
    package enum Concern: Hashable, Sendable {
        /// Sizes and padding that do not add up, and bytes that belong to no chunk.
        case bytes
        /// Chunks that are missing or misplaced.
        case order
        /// A VP8X chunk that contradicts the rest of the file.
        case header
        /// A frame that exceeds the canvas, or has a wrong header.
        case frame
        /// A frame that is too short, or an unexpected total time.
        case duration
        /// An unexpected number of frames.
        case frameCount
        /// A coded picture that is damaged, or of another size than the container says.
        case picture
        /// Lossy beside lossless frames, which the format allows.
        case mixture
    }

    /// The subject.
    package var concern: Concern
    /// The fault, for people.
    package var clause: String
}
