import Dispatch
import Foundation
import Glibc
import StickerValues
import Synchronization

/// An app that looks at the library at full speed, all the time, and trusts every manifest it reads.
///
/// It opens every file that a manifest names, at every look, and notes whatever an app would stumble
/// over: invalid JSON, a missing file, a file of another size, a generation that falls, a sticker
/// that is away for a moment.
final class Witness: Sendable {
    private struct State {
        var isStopped = false
        var looks = 0
        var manifests: [String: (bytes: Data, manifest: Manifest)] = [:]
        var complaints: [String] = []
    }

    private let out: String
    /// Sticker ids that must stay once they were seen.
    private let lasting: Set<String>
    private let state = Mutex(State())
    private let hasStopped = DispatchSemaphore(value: 0)

    /// Begins to look; `lasting` ids must never be missing after they were seen.
    init(below out: String, lasting: Set<String> = []) {
        self.out = out
        self.lasting = lasting
        DispatchQueue(label: "witness").async { [self] in
            while !state.withLock({ $0.isStopped }) { look() }
            hasStopped.signal()
        }
    }

    /// Ends the looking.
    ///
    /// - Returns: the number of looks, and all it stumbled over.
    func testimony() -> (looks: Int, complaints: [String]) {
        state.withLock { $0.isStopped = true }
        hasStopped.wait()
        return state.withLock { ($0.looks, $0.complaints) }
    }

    private func look() {
        // Before the first start there is no folder to look at.
        let names = (try? FileManager.default.contentsOfDirectory(atPath: out)) ?? []
        for name in names where !name.hasPrefix("_") && !name.contains(".") { look(at: name) }
        state.withLock { $0.looks += 1 }
    }

    private func look(at category: String) {
        let known = state.withLock { $0.manifests[category] }
        guard let bytes = FileManager.default.contents(atPath: "\(out)/\(category)/manifest.json")
        else {
            if known != nil { complain("\(category) has no manifest any more") }
            return
        }
        if let known, known.bytes == bytes { return open(known.manifest) }
        do {
            let manifest = try JSONDecoder().decode(Manifest.self, from: bytes)
            open(manifest)
            compare(manifest, with: known?.manifest)
            state.withLock { $0.manifests[category] = (bytes, manifest) }
        } catch {
            complain("\(category): \(error)")
        }
    }

    private func open(_ manifest: Manifest) {
        for file in manifest.stickers.flatMap(\.files) {
            var status = stat()
            let path = "\(out)/\(manifest.identifier)/\(file.url)"
            let descriptor = Glibc.open(path, O_RDONLY)
            defer { close(descriptor) }
            if descriptor < 0 || fstat(descriptor, &status) != 0 || status.st_size != file.bytes {
                complain("\(manifest.identifier) generation \(manifest.generation): \(file.url)")
            }
        }
    }

    private func compare(_ manifest: Manifest, with known: Manifest?) {
        guard let known else { return }
        if manifest.generation <= known.generation {
            complain("generation \(known.generation), then \(manifest.generation)")
        }
        let ids = Set(manifest.stickers.map(\.identifier.rawValue))
        for id in known.stickers.map(\.identifier.rawValue)
        where lasting.contains(id) && !ids.contains(id) {
            complain("\(id) is away in generation \(manifest.generation)")
        }
    }

    private func complain(_ text: String) {
        state.withLock { if $0.complaints.count < 20 { $0.complaints.append(text) } }
    }
}
