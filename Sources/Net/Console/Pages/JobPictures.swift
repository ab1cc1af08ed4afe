import StickerReports
import StickerStore
import StickerValues

/// Small pictures of jobs for lists: what is published of a file, else the file itself.
struct JobPictures: Sendable {
    /// Larger files are not sent to be shown small.
    private static let sourceBytesMax = 4_000_000

    private let products: [StickerID: StickerProduct]

    /// Reads what is published of the files of `jobs`.
    ///
    /// - Throws: `StoreError` if the database cannot be read.
    init(of jobs: [JobRecord], _ operations: Operations) throws(StoreError) {
        products = try operations.products(of: Set(jobs.compactMap(\.sticker)))
    }

    /// The picture of a job; a link around it says in words what it is.
    func picture(_ job: JobRecord) -> HTML {
        address(job).map { Self.small($0) } ?? Self.label(job)
    }

    /// A small picture of published files; a link around it says in words what it is.
    static func picture(_ product: StickerProduct) -> HTML { small("/out/\(product.small.path)") }

    private static func small(_ address: String) -> HTML {
        """
        <span class="small" data-backdrop="checker"><img src="\(address)" alt="" loading="lazy" decoding="async">\
        </span>
        """
    }

    /// Jobs as cards, newest first as given.
    func cards(_ jobs: [JobRecord]) -> HTML {
        "<ul class=\"cards\">\(jobs.map(card))</ul>"
    }

    private func card(_ job: JobRecord) -> HTML {
        let name = job.file.split(separator: "/").last.map(String.init) ?? job.file
        let why: HTML =
            job.needsAttention && !job.awaitsReview ? "<span class=\"quiet\">\(job.why)</span>" : ""
        let since = job.finishedAt ?? job.startedAt ?? job.createdAt
        return """
            <li><a class="card" href="/jobs/\(job.id)" title="\(job.file)">\(picture(job))\
            <span class="name">\(name)</span><span>\(job.shownState) \(since.shownAgo)</span>\(why)</a></li>
            """
    }

    private func address(_ job: JobRecord) -> String? {
        if job.state == .completed, let sticker = job.sticker, let product = products[sticker] {
            return "/out/\(product.small.path)"
        }
        if job.awaitsReview { return "/review/\(job.id)" }
        let isSmall = job.bytes <= Self.sourceBytesMax && ConsolePictures.areShown(job.file)
        return isSmall && job.isAboutItsFile && !job.isHeavy ? "/source/\(job.id)" : nil
    }

    private static func label(_ job: JobRecord) -> HTML {
        let name = FileName.fileExtension(Array(job.file.utf8))
        let short = String(name.uppercased().prefix(5))
        return "<span class=\"small none\" aria-hidden=\"true\">\(short)</span>"
    }
}

extension JobRecord {
    /// Whether the file is there as it was for the job, as far as the daemon knows.
    var isAboutItsFile: Bool {
        supersededBy == nil
            && !(state == .cancelled && reason == CancelReason.vanished.rawValue)
    }

    /// Whether its file was too much for a worker: it would be for the browser of whoever wants to dismiss it.
    fileprivate var isHeavy: Bool {
        switch refusal?.reason {
        case .badDimensions, .tooManyBytes, .tooManyPixels, .tooManyFrames, .tooComplex,
            .outOfMemory,
            .decoderCrashed, .daemonCrashed:
            true
        default: false
        }
    }
}

extension StickerProduct {
    /// The smallest still that is not blurred in a list.
    fileprivate var small: StickerFile {
        let stills = files.filter { $0.role == .thumbnail && $0.size.width >= 128 }
        return stills.min { $0.size.width < $1.size.width } ?? files[0]
    }
}

extension Timestamp {
    /// How long ago, with the exact time at hand; the script of the page keeps it true.
    var shownAgo: HTML {
        "<time class=\"ago\" datetime=\"\(asDate)\" title=\"\(asDate)\">\(ago) ago</time>"
    }
}
