// swift-tools-version: 6.2
import PackageDescription

// The order of the targets is the architecture: each may import only what stands above it.

let strict: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

/// Pixel code is optimised in debug builds too: SIMD without the optimiser is a hundred times slower.
let pixels: [SwiftSetting] = strict + [.unsafeFlags(["-O"], .when(configuration: .debug))]

/// Programs that wait for people: the optimiser would cost 30 s of CPU in each release build. Packs stay with it:
/// without, the daemon took 1.6 times its CPU for 1,500 small files.
let unhurried: [SwiftSetting] =
    strict + [.unsafeFlags(["-Onone"], .when(configuration: .release))]

/// The daemon with its workers.
let daemon = [
    "stickerd", "stickerd-worker", "stickerd-worker-formats", "stickerd-worker-heic",
    "stickerd-worker-drawing",
]

/// The programs beside it: for operators, and for other machines.
let others = ["stickerctl", "stickerd-web", "stickerd-console", "stickerd-weather"]

let package = Package(
    name: "stickerd",
    // For StickerKit; everything else is for Linux.
    platforms: [.macOS(.v12), .iOS(.v15)],
    products: [.library(name: "StickerKit", targets: ["StickerKit"])]
        + (daemon + others).map { .executable(name: $0, targets: [$0]) },
    traits: [
        .default(enabledTraits: ["InotifyTools"]),
        .trait(
            name: "InotifyTools",
            description: "Watch through libinotifytools (GPL-2), not the kernel's inotify directly."
        ),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        // Without swift-configuration: settings come from config.json alone.
        .package(
            url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1",
            traits: ["FullFoundation"]),
        .package(url: "https://github.com/apple/swift-nio", from: "2.0.0"),
        .package(url: "https://github.com/apple/swift-nio-extras", from: "1.0.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.0.0"),
    ],
    targets: [
        // C libraries, one module each.
        .systemLibrary(name: "CWebP", providers: [.apt(["libwebp-dev"])]),
        .systemLibrary(name: "CTurboJPEG", providers: [.apt(["libturbojpeg0-dev"])]),
        .systemLibrary(name: "CDeflate", providers: [.apt(["libdeflate-dev"])]),
        .systemLibrary(name: "CGIF", providers: [.apt(["libgif-dev"])]),
        .systemLibrary(name: "CAVIF", providers: [.apt(["libavif-dev"])]),
        .systemLibrary(name: "CHEIF", providers: [.apt(["libheif-dev"])]),
        .systemLibrary(name: "CLCMS", providers: [.apt(["liblcms2-dev"])]),
        .systemLibrary(
            name: "CPango", pkgConfig: "pangocairo", providers: [.apt(["libpango1.0-dev"])]),
        .systemLibrary(
            name: "CRSVG", pkgConfig: "librsvg-2.0", providers: [.apt(["librsvg2-dev"])]),
        .systemLibrary(
            name: "CXML2", pkgConfig: "libxml-2.0", providers: [.apt(["libxml2-dev"])]),
        .systemLibrary(name: "CCrypto", providers: [.apt(["libssl-dev"])]),
        .systemLibrary(name: "CCURL", providers: [.apt(["libcurl4-openssl-dev"])]),
        .systemLibrary(name: "CSystemd", providers: [.apt(["libsystemd-dev"])]),
        .systemLibrary(name: "CArchive", providers: [.apt(["libarchive-dev"])]),
        .systemLibrary(name: "CZlib", providers: [.apt(["zlib1g-dev"])]),
        .systemLibrary(name: "CInotifyTools", providers: [.apt(["libinotifytools0-dev"])]),
        .target(name: "CPNG", linkerSettings: [.linkedLibrary("png16")]),
        .target(name: "CTIFF", linkerSettings: [.linkedLibrary("tiff")]),
        .target(name: "CPages", exclude: ["compose", "console", "gallery", "openapi.json"]),
        .target(name: "CLinux"),
        .target(name: "CSandbox"),

        // Values: what a sticker, a job, a manifest and a configuration are.
        .target(
            name: "StickerModel", resources: [.embedInCode("Targets/targets.json")],
            swiftSettings: strict),

        // System calls on files and folders: descriptors, stat, listings, the walk without links.
        .target(name: "StickerSystem", dependencies: ["CLinux"], swiftSettings: strict),

        // Archives written, and those of strangers read.
        .target(
            name: "StickerArchives",
            dependencies: ["StickerModel", "StickerSystem", "CArchive", "CZlib"],
            swiftSettings: strict),

        // Files chunk by chunk, without a decoder: what they are, where they end, what is wrong.
        .target(name: "StickerContainers", dependencies: ["StickerModel"], swiftSettings: pixels),

        // Pixels, and bytes to and from pixels. Synchronous; no disk, no clock, no queue.
        .target(name: "StickerRaster", dependencies: ["StickerModel"], swiftSettings: pixels),
        .target(
            name: "StickerCodecs",
            dependencies: [
                "StickerModel", "StickerContainers", "StickerRaster", "CWebP", "CPNG",
                "CDeflate", "CTurboJPEG", "CGIF", "CLCMS",
            ],
            swiftSettings: pixels),
        .target(
            name: "StickerPipeline",
            dependencies: ["StickerModel", "StickerContainers", "StickerRaster", "StickerCodecs"],
            swiftSettings: pixels),

        // What platforms import: membership, rules and files of packs. Pure.
        .target(
            name: "StickerPacks", dependencies: ["StickerModel", "StickerContainers"],
            swiftSettings: strict),

        // Further formats, each set for a program of its own: their libraries cost start time.
        .target(
            name: "StickerFormats",
            dependencies: [
                "StickerModel", "StickerContainers", "StickerRaster", "StickerCodecs",
                "StickerPipeline", "CTIFF", "CAVIF",
            ],
            swiftSettings: pixels),
        .target(
            name: "StickerHEIC",
            dependencies: [
                "StickerModel", "StickerContainers", "StickerRaster", "StickerCodecs",
                "StickerPipeline", "CHEIF",
            ],
            swiftSettings: pixels),

        // What templates show at an instant, and the drawing that shows it.
        .target(
            name: "StickerSmart", dependencies: ["StickerModel", "StickerContainers"],
            swiftSettings: strict),

        // Words and vectors to pixels; in a program of its own, too.
        .target(
            name: "StickerDrawing",
            dependencies: [
                "StickerModel", "StickerContainers", "StickerRaster", "StickerCodecs",
                "StickerPipeline", "StickerFormats", "CPango", "CRSVG", "CXML2", "CZlib",
            ],
            swiftSettings: pixels),

        // What tells contents apart.
        .target(
            name: "StickerHashes",
            dependencies: ["StickerModel", "CCrypto"],
            swiftSettings: strict),

        // The durable side: jobs, catalog and files on disk; and the watched folders.
        .target(
            name: "StickerStore",
            dependencies: [
                "StickerModel", "StickerSystem", "StickerHashes", "CLinux",
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: strict),
        // Packs of what is published: planned, written, remembered.
        .target(
            name: "StickerExport",
            dependencies: [
                "StickerModel", "StickerSystem", "StickerHashes", "StickerPacks", "StickerArchives",
                "StickerStore",
                "CLinux",
            ],
            swiftSettings: strict),
        // Packs of others: read from folders and archives, and written into a drop.
        .target(
            name: "StickerImport",
            dependencies: [
                "StickerModel", "StickerSystem", "StickerPacks", "StickerArchives", "StickerStore",
                "CLinux",
            ],
            swiftSettings: unhurried),
        .target(
            name: "StickerReports",
            dependencies: ["StickerModel", "StickerSystem", "StickerContainers", "StickerStore"],
            swiftSettings: strict),
        .target(
            name: "StickerWatch",
            dependencies: [
                "StickerModel", "StickerSystem", "CLinux",
                .target(name: "CInotifyTools", condition: .when(traits: ["InotifyTools"])),
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: strict),

        // Log lines for people and for the journal.
        .target(
            name: "StickerLogs",
            dependencies: [
                "StickerModel", "CSystemd", .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: strict),

        // Figures for monitoring: declared, kept, and written as Prometheus reads them.
        .target(
            name: "StickerMetrics",
            dependencies: [
                "StickerSystem", .product(name: "CoreMetrics", package: "swift-metrics"),
            ],
            swiftSettings: strict),

        // Pictures made in processes of their own: both sides of the conversation.
        .target(
            name: "StickerWorkers",
            dependencies: ["StickerModel", "StickerSystem", "StickerContainers", "CLinux"],
            swiftSettings: strict),

        // What all of their programs share: locked in before the first byte is read.
        .target(
            name: "StickerConfinement",
            dependencies: ["StickerModel", "StickerWorkers", "CLinux", "CSandbox"],
            swiftSettings: strict),
        .target(
            name: "StickerWorkerMain",
            dependencies: [
                "StickerModel", "StickerPipeline", "StickerWorkers", "StickerConfinement",
            ],
            swiftSettings: strict),

        // The composition root and the programs.
        .target(
            name: "StickerDaemon",
            dependencies: [
                "StickerModel", "StickerSystem", "StickerHashes", "StickerContainers",
                "StickerStore",
                "StickerPacks", "StickerExport", "StickerSmart", "StickerReports", "StickerWatch",
                "StickerLogs",
                "StickerMetrics", "StickerWorkers", "CLinux", "CSystemd",
                .product(name: "CoreMetrics", package: "swift-metrics"),
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: strict),
        .executableTarget(
            name: "stickerd",
            dependencies: [
                "StickerModel", "StickerLogs", "StickerDaemon",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: strict),
        .executableTarget(
            name: "stickerctl",
            dependencies: [
                "StickerModel", "StickerSystem", "StickerStore", "StickerReports", "StickerWorkers",
                "StickerPacks", "StickerExport", "StickerImport", "StickerSmart",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: unhurried),
        .executableTarget(
            name: "stickerd-worker", dependencies: ["StickerPipeline", "StickerWorkerMain"],
            swiftSettings: strict),
        .executableTarget(
            name: "stickerd-worker-formats",
            dependencies: ["StickerPipeline", "StickerFormats", "StickerWorkerMain"],
            swiftSettings: strict),
        .executableTarget(
            name: "stickerd-worker-heic",
            dependencies: ["StickerPipeline", "StickerHEIC", "StickerWorkerMain"],
            swiftSettings: strict),
        .executableTarget(
            name: "stickerd-worker-drawing",
            dependencies: [
                "StickerModel", "StickerRaster", "StickerPipeline", "StickerDrawing",
                "StickerWorkers", "StickerConfinement", "StickerWorkerMain",
            ],
            swiftSettings: strict),
        // Questions to servers of others, and the weather that they know.
        .target(
            name: "StickerFetch", dependencies: ["StickerModel", "CCURL"], swiftSettings: strict),
        .target(
            name: "StickerWeather",
            dependencies: ["StickerModel", "StickerSystem", "StickerFetch"],
            swiftSettings: unhurried),
        .executableTarget(
            name: "stickerd-weather",
            dependencies: [
                "StickerModel", "StickerSystem", "StickerLogs", "StickerFetch", "StickerWeather",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: unhurried),
        // Stickers of others: asked for, read, and kept for a while.
        .target(
            name: "StickerUpstreams", dependencies: ["StickerModel", "StickerFetch"],
            swiftSettings: strict),
        // Requests and answers over HTTP, for all programs that serve.
        .target(
            name: "StickerHTTP",
            dependencies: [
                "StickerModel", "StickerSystem", "CPages",
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOHTTPTypes", package: "swift-nio-extras"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "UnixSignals", package: "swift-service-lifecycle"),
            ],
            swiftSettings: strict),
        // What is published, for apps and people, over HTTP.
        .target(
            name: "StickerWeb",
            dependencies: [
                "StickerModel", "StickerSystem", "StickerHashes", "StickerContainers",
                "StickerMetrics", "StickerFetch", "StickerUpstreams", "StickerHTTP",
                .product(name: "CoreMetrics", package: "swift-metrics"),
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
            ],
            swiftSettings: strict),
        .executableTarget(
            name: "stickerd-web",
            dependencies: [
                "StickerModel", "StickerLogs", "StickerWeb",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: strict),
        // What operators see and do, in a browser.
        .target(
            name: "StickerConsole",
            dependencies: [
                "StickerModel", "StickerSystem", "StickerHashes", "StickerStore", "StickerReports",
                "StickerHTTP",
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
            ],
            swiftSettings: unhurried),
        .executableTarget(
            name: "stickerd-console",
            dependencies: [
                "StickerModel", "StickerLogs", "StickerStore", "StickerConsole",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: unhurried),
        // For apps, also on iOS and macOS: asks stickerd-web, reads what is published, keeps pictures. It imports
        // nothing but Foundation, and nothing in it needs unsafe flags.
        .target(name: "StickerKit", swiftSettings: strict),
        .executableTarget(
            name: "stickerkit-example", dependencies: ["StickerKit"], swiftSettings: strict),
        // Measures; no part of the product.
        .executableTarget(
            name: "stickerd-bench",
            dependencies: [
                "StickerModel", "StickerRaster", "StickerCodecs", "StickerPipeline", "CWebP",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: pixels),
        // Draws what `make demo` and the pictures of the README drop.
        .executableTarget(
            name: "stickerd-demo",
            dependencies: ["StickerModel", "StickerRaster", "StickerCodecs"],
            swiftSettings: pixels),

        // Tests mirror the sources.
        .target(
            name: "StickerTestSupport",
            dependencies: ["StickerModel", "StickerContainers", "StickerRaster"],
            path: "Tests/StickerTestSupport", swiftSettings: pixels),
        .testTarget(
            name: "StickerModelTests", dependencies: ["StickerModel", "StickerTestSupport"],
            swiftSettings: strict),
        .testTarget(
            name: "StickerSystemTests", dependencies: ["StickerSystem", "StickerTestSupport"],
            swiftSettings: strict),
        .testTarget(
            name: "StickerArchivesTests",
            dependencies: ["StickerSystem", "StickerArchives", "StickerTestSupport"],
            swiftSettings: strict),
        .testTarget(
            name: "StickerExportTests",
            dependencies: [
                "StickerModel", "StickerHashes", "StickerPacks", "StickerExport", "StickerStore",
                "StickerTestSupport",
            ],
            swiftSettings: strict),
        .testTarget(
            name: "StickerLogsTests",
            dependencies: [
                "StickerModel", "StickerLogs", "StickerTestSupport",
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: strict),
        .testTarget(
            name: "StickerMetricsTests",
            dependencies: [
                "StickerMetrics", .product(name: "CoreMetrics", package: "swift-metrics"),
            ],
            swiftSettings: strict),
        .testTarget(
            name: "StickerWebTests",
            dependencies: [
                "StickerModel", "StickerSystem", "StickerHashes", "StickerMetrics", "StickerFetch",
                "StickerUpstreams", "StickerHTTP", "StickerWeb", "StickerTestSupport",
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "NIOEmbedded", package: "swift-nio"),
                .product(name: "NIOHTTPTypes", package: "swift-nio-extras"),
            ],
            swiftSettings: strict),
        .testTarget(
            name: "StickerContainersTests",
            dependencies: [
                "StickerModel", "StickerContainers", "StickerRaster", "StickerCodecs",
                "StickerTestSupport",
            ],
            swiftSettings: pixels),
        .testTarget(
            name: "StickerRasterTests", dependencies: ["StickerRaster", "StickerTestSupport"],
            swiftSettings: pixels),
        .testTarget(
            name: "StickerDrawingTests",
            dependencies: [
                "StickerModel", "StickerContainers", "StickerRaster", "StickerCodecs",
                "StickerDrawing", "StickerTestSupport",
            ],
            exclude: ["Fixtures"], swiftSettings: pixels),
        .testTarget(
            name: "StickerCodecsTests",
            dependencies: [
                "StickerModel", "StickerContainers", "StickerRaster", "StickerCodecs",
                "CTurboJPEG", "CLCMS", "CWebP", "StickerTestSupport",
            ],
            swiftSettings: pixels),
        .testTarget(
            name: "StickerPipelineTests",
            dependencies: [
                "StickerModel", "StickerContainers", "StickerRaster", "StickerCodecs",
                "StickerPipeline", "StickerFormats", "StickerHEIC", "StickerTestSupport",
            ],
            exclude: ["Fixtures"], swiftSettings: pixels),
        .testTarget(
            name: "StickerPacksTests",
            dependencies: [
                "StickerModel", "StickerContainers", "StickerRaster", "StickerCodecs",
                "StickerPacks", "StickerTestSupport",
            ],
            swiftSettings: strict),
        .testTarget(
            name: "StickerFormatsTests",
            dependencies: [
                "StickerModel", "StickerContainers", "StickerRaster", "StickerCodecs",
                "StickerPipeline", "StickerFormats", "StickerHEIC", "StickerTestSupport",
            ],
            swiftSettings: pixels),
        .testTarget(
            name: "StickerSmartTests",
            dependencies: ["StickerModel", "StickerSmart", "StickerTestSupport"],
            exclude: ["calendar.py"], swiftSettings: strict),
        .testTarget(
            name: "StickerConsoleTests",
            dependencies: [
                "StickerModel", "StickerSystem", "StickerStore", "StickerHTTP", "StickerConsole",
                "StickerTestSupport",
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
            ],
            swiftSettings: strict),
        .testTarget(
            name: "StickerWeatherTests",
            dependencies: ["StickerModel", "StickerFetch", "StickerWeather", "StickerTestSupport"],
            swiftSettings: strict),
        .testTarget(
            name: "StickerUpstreamsTests",
            dependencies: [
                "StickerModel", "StickerFetch", "StickerUpstreams", "StickerTestSupport",
            ],
            swiftSettings: strict),
        .testTarget(
            name: "StickerKitTests",
            dependencies: ["StickerModel", "CCrypto", "StickerKit", "StickerTestSupport"],
            swiftSettings: strict),
        // A provider as photo and video editors publish it, in the language of their samples.
        .executableTarget(
            name: "provider-sample", dependencies: ["StickerKit"], path: "Tests/ProviderSample",
            swiftSettings: [.swiftLanguageMode(.v5)]),
        // A worker that a picture has taken over.
        .target(name: "CMisdeeds", path: "Tests/CMisdeeds"),
        .executableTarget(
            name: "hostile-worker",
            dependencies: ["StickerModel", "StickerWorkers", "CLinux", "CSandbox", "CMisdeeds"],
            path: "Tests/HostileWorker", swiftSettings: strict),
        .testTarget(
            name: "StickerWorkersTests",
            dependencies: [
                "StickerModel", "StickerContainers", "StickerRaster", "StickerCodecs",
                "StickerPipeline", "StickerWorkers", "StickerTestSupport", "stickerd-worker",
                "stickerd-worker-formats", "stickerd-worker-heic", "stickerd-worker-drawing",
                "hostile-worker",
            ],
            swiftSettings: strict),
        .testTarget(
            name: "StickerStoreTests",
            dependencies: [
                "StickerModel", "StickerSystem", "StickerHashes", "StickerStore",
                "StickerTestSupport",
                .product(name: "GRDB", package: "GRDB.swift"),
            ],
            swiftSettings: strict),
        .testTarget(
            name: "StickerWatchTests",
            dependencies: ["StickerModel", "StickerSystem", "StickerWatch", "StickerTestSupport"],
            swiftSettings: strict),
        .testTarget(
            name: "StickerDaemonTests",
            dependencies: [
                "StickerModel", "StickerSystem", "StickerHashes", "StickerRaster", "StickerCodecs",
                "StickerStore", "StickerReports", "StickerWatch", "StickerLogs", "StickerMetrics",
                "StickerDaemon", "StickerTestSupport",
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: strict),
        .testTarget(
            name: "StickerImportTests",
            dependencies: [
                "StickerModel", "StickerSystem", "StickerPacks", "StickerArchives",
                "StickerImport", "StickerTestSupport",
            ],
            swiftSettings: strict),
        .testTarget(
            name: "StickerReportsTests",
            dependencies: [
                "StickerModel", "StickerHashes", "StickerStore", "StickerReports",
                "StickerTestSupport",
            ],
            swiftSettings: strict),
        .testTarget(
            name: "StickerctlTests",
            dependencies: ["StickerModel", "StickerHashes", "StickerStore", "StickerTestSupport"],
            swiftSettings: strict),
        .testTarget(
            name: "StickerdBenchTests",
            dependencies: [
                "StickerModel", "StickerRaster", "StickerCodecs", "stickerd-bench",
                "StickerTestSupport",
            ],
            swiftSettings: pixels),
        .testTarget(
            name: "EndToEndTests",
            dependencies: [
                "StickerModel", "StickerPacks", "StickerExport", "StickerCodecs", "StickerRaster",
                "CCrypto", "StickerKit", "StickerTestSupport",
                .product(name: "GRDB", package: "GRDB.swift"),
            ],
            exclude: ["Fixtures"], swiftSettings: strict),
    ],
    swiftLanguageModes: [.v6]
)

// Needs libFuzzer's runtime: deploy/fuzz/fuzz.sh asks for it.
if Context.environment["STICKERD_FUZZ"] != nil {
    package.targets += [
        .target(name: "CFuzzer", path: "Tests/CFuzzer"),
        .executableTarget(
            name: "stickerd-fuzz",
            dependencies: [
                "StickerModel", "StickerSystem", "StickerContainers", "StickerRaster",
                "StickerCodecs", "StickerPipeline", "StickerFormats", "StickerStore",
                "StickerWorkers", "StickerArchives", "StickerPacks", "CLinux", "CFuzzer",
            ],
            path: "Tests/Fuzz", swiftSettings: pixels,
            linkerSettings: [.linkedLibrary("z")]),  // of the decoders that fuzz.sh builds
    ]
}

extension Package {
    /// Leaves only the targets with these names, and those that they are built from.
    func keep(_ names: [String]) {
        var kept: Set<String> = []
        var next = names
        while let name = next.popLast() {
            guard kept.insert(name).inserted else { continue }
            let target = targets.first { $0.name == name }
            for case .byNameItem(let name, _) in target?.dependencies ?? [] { next.append(name) }
            for case .targetItem(let name, _) in target?.dependencies ?? [] { next.append(name) }
        }
        targets.removeAll { !kept.contains($0.name) }
        products.removeAll { !kept.contains($0.name) }
    }
}

// Builds a part in one go: `daemon`, `programs`, or targets by name, of tests too, with commas between
// them: STICKERD_BUILD=StickerCodecsTests swift test.
switch Context.environment["STICKERD_BUILD"] {
case nil: break
case "daemon": package.keep(daemon)
case "programs": package.keep(daemon + others)
case let names?: package.keep(names.split(separator: ",").map(String.init))
}
