// swift-tools-version: 6.2
import PackageDescription

// The order of the targets is the architecture: each may import only what stands above it.

let library: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

/// Tests see what is internal in release builds too: they run with the build that is handed out.
let strict: [SwiftSetting] =
    library + [.unsafeFlags(["-enable-testing"], .when(configuration: .release))]

/// Pixel code is optimised in debug builds too: SIMD without the optimiser is a hundred times slower.
let pixels: [SwiftSetting] = strict + [.unsafeFlags(["-O"], .when(configuration: .debug))]

/// Code that waits for disks, the database, workers and people, and tests: the optimiser would take longer for it than
/// for everything else.
let unhurried: [SwiftSetting] =
    strict + [.unsafeFlags(["-Onone"], .when(configuration: .release))]

/// Swift's own libraries are inside: a worker is started for each picture, and they would be looked up and linked
/// every time.
let standalone: [LinkerSetting] = [
    .unsafeFlags(
        [
            "-static-stdlib", "-lFoundationInternationalization", "-lCoreFoundation",
            "-l_FoundationICU", "-l_FoundationCollections", "-l_FoundationCShims",
        ], .when(configuration: .release))
]

/// CSandbox answers the workers' libraries in place of libc.
let confined =
    standalone + [
        .unsafeFlags([
            "-Xlinker", "--export-dynamic-symbol=fstat", "-Xlinker",
            "--export-dynamic-symbol=fstat64",
        ])
    ]

/// Programs that are handed out watch through the kernel alone: libinotifytools is under the GPL, which they would
/// inherit. STICKERD_INOTIFYTOOLS=no leaves it out.
let hasInotifyTools = Context.environment["STICKERD_INOTIFYTOOLS"] != "no"
let inotifyTools: [Target.Dependency] = hasInotifyTools ? ["CInotifyTools"] : []
let watching = unhurried + (hasInotifyTools ? [.define("InotifyTools")] : [])

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
        .target(name: "CPNG"),
        .target(name: "CTIFF"),
        .target(name: "CPages", exclude: ["compose", "console", "gallery", "openapi.json"]),
        .target(name: "CLinux"),
        .target(name: "CSandbox"),

        // Values: what a sticker, a job, a manifest and a configuration are. Optimised: it reads JSON of strangers.
        .target(
            name: "StickerModel", resources: [.embedInCode("Targets/targets.json")],
            swiftSettings: strict),

        // System calls on files and folders: descriptors, stat, listings, the walk without links.
        .target(name: "StickerSystem", dependencies: ["CLinux"], swiftSettings: unhurried),

        // Archives written, and those of strangers read.
        .target(
            name: "StickerArchives",
            dependencies: ["StickerModel", "StickerSystem", "CArchive", "CZlib"],
            swiftSettings: unhurried),

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
            swiftSettings: unhurried),

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
            swiftSettings: unhurried),

        // Words and vectors to pixels; in a program of its own, too.
        .target(
            name: "StickerDrawing",
            dependencies: [
                "StickerModel", "StickerContainers", "StickerRaster", "StickerCodecs",
                "StickerPipeline", "StickerFormats", "CPango", "CRSVG", "CXML2", "CZlib",
            ],
            swiftSettings: strict),

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
            swiftSettings: unhurried),
        // Packs of what is published: planned, written, remembered.
        .target(
            name: "StickerExport",
            dependencies: [
                "StickerModel", "StickerSystem", "StickerHashes", "StickerPacks", "StickerArchives",
                "StickerStore",
                "CLinux",
            ],
            swiftSettings: unhurried),
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
            swiftSettings: unhurried),
        .target(
            name: "StickerWatch",
            dependencies: [
                "StickerModel", "StickerSystem", "StickerContainers", "CLinux",
                .product(name: "Logging", package: "swift-log"),
            ] + inotifyTools,
            swiftSettings: watching),

        // Log lines for people and for the journal.
        .target(
            name: "StickerLogs",
            dependencies: [
                "StickerModel", "CSystemd", .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: unhurried),

        // Figures for monitoring: declared, kept, and written as Prometheus reads them.
        .target(
            name: "StickerMetrics",
            dependencies: [
                "StickerSystem", .product(name: "CoreMetrics", package: "swift-metrics"),
            ],
            swiftSettings: unhurried),

        // Pictures made in processes of their own: both sides of the conversation.
        .target(
            name: "StickerWorkers",
            dependencies: ["StickerModel", "StickerSystem", "StickerContainers", "CLinux"],
            swiftSettings: unhurried),

        // What all of their programs share: locked in before the first byte is read.
        .target(
            name: "StickerConfinement",
            dependencies: ["StickerModel", "StickerWorkers", "CLinux", "CSandbox"],
            swiftSettings: unhurried),
        .target(
            name: "StickerWorkerMain",
            dependencies: [
                "StickerModel", "StickerPipeline", "StickerWorkers", "StickerConfinement",
            ],
            swiftSettings: unhurried),

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
            swiftSettings: unhurried),
        .executableTarget(
            name: "stickerd",
            dependencies: [
                "StickerModel", "StickerLogs", "StickerDaemon",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: strict, linkerSettings: standalone),
        .executableTarget(
            name: "stickerctl",
            dependencies: [
                "StickerModel", "StickerSystem", "StickerStore", "StickerReports", "StickerWorkers",
                "StickerPacks", "StickerExport", "StickerImport", "StickerSmart", "StickerArchives",
                "CLinux",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: unhurried, linkerSettings: standalone),
        .executableTarget(
            name: "stickerd-worker", dependencies: ["StickerPipeline", "StickerWorkerMain"],
            swiftSettings: strict, linkerSettings: confined),
        .executableTarget(
            name: "stickerd-worker-formats",
            dependencies: ["StickerPipeline", "StickerFormats", "StickerWorkerMain"],
            swiftSettings: strict, linkerSettings: confined),
        .executableTarget(
            name: "stickerd-worker-heic",
            dependencies: ["StickerPipeline", "StickerHEIC", "StickerWorkerMain"],
            swiftSettings: strict, linkerSettings: confined),
        .executableTarget(
            name: "stickerd-worker-drawing",
            dependencies: [
                "StickerModel", "StickerRaster", "StickerPipeline", "StickerDrawing",
                "StickerWorkers", "StickerConfinement", "StickerWorkerMain",
            ],
            swiftSettings: strict, linkerSettings: confined),
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
            swiftSettings: unhurried, linkerSettings: standalone),
        // Stickers of others: asked for, read, and kept for a while.
        .target(
            name: "StickerUpstreams", dependencies: ["StickerModel", "StickerFetch"],
            swiftSettings: unhurried),
        // Requests and answers over HTTP, for all programs that serve; it knows no server.
        .target(
            name: "StickerHTTP",
            dependencies: [
                "StickerModel", "StickerSystem", "CPages",
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
            ],
            swiftSettings: strict),
        // The server. Sites do not depend on it, so that both are compiled at once.
        .target(
            name: "StickerServer",
            dependencies: [
                "StickerModel", "StickerSystem", "StickerHTTP", "CLinux",
                .product(name: "HummingbirdCore", package: "hummingbird"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOHTTPTypes", package: "swift-nio-extras"),
                .product(name: "NIOHTTPTypesHTTP1", package: "swift-nio-extras"),
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
                "StickerModel", "StickerLogs", "StickerWeb", "StickerServer",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: strict, linkerSettings: standalone),
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
                "StickerModel", "StickerLogs", "StickerStore", "StickerConsole", "StickerServer",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: unhurried, linkerSettings: standalone),
        // For apps, also on iOS and macOS: asks stickerd-web, reads what is published, keeps pictures. It imports
        // nothing but Foundation, and nothing in it needs unsafe flags.
        .target(name: "StickerKit", swiftSettings: library),
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
        // Draws what `make demo` and the pictures of the documents drop.
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
            swiftSettings: unhurried),
        .testTarget(
            name: "StickerSystemTests", dependencies: ["StickerSystem", "StickerTestSupport"],
            swiftSettings: unhurried),
        .testTarget(
            name: "StickerArchivesTests",
            dependencies: ["StickerSystem", "StickerArchives", "StickerTestSupport"],
            swiftSettings: unhurried),
        .testTarget(
            name: "StickerExportTests",
            dependencies: [
                "StickerModel", "StickerHashes", "StickerPacks", "StickerExport", "StickerStore",
                "StickerTestSupport",
            ],
            swiftSettings: unhurried),
        .testTarget(
            name: "StickerLogsTests",
            dependencies: [
                "StickerModel", "StickerLogs", "StickerTestSupport",
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: unhurried),
        .testTarget(
            name: "StickerMetricsTests",
            dependencies: [
                "StickerMetrics", .product(name: "CoreMetrics", package: "swift-metrics"),
            ],
            swiftSettings: unhurried),
        .testTarget(
            name: "StickerWebTests",
            dependencies: [
                "StickerModel", "StickerSystem", "StickerHashes", "StickerMetrics", "StickerFetch",
                "StickerUpstreams", "StickerHTTP", "StickerServer", "StickerWeb",
                "StickerTestSupport",
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "NIOEmbedded", package: "swift-nio"),
                .product(name: "NIOHTTPTypes", package: "swift-nio-extras"),
            ],
            swiftSettings: unhurried),
        .testTarget(
            name: "StickerContainersTests",
            dependencies: [
                "StickerModel", "StickerContainers", "StickerRaster", "StickerCodecs",
                "StickerTestSupport",
            ],
            swiftSettings: unhurried),
        .testTarget(
            name: "StickerRasterTests", dependencies: ["StickerRaster", "StickerTestSupport"],
            swiftSettings: unhurried),
        .testTarget(
            name: "StickerDrawingTests",
            dependencies: [
                "StickerModel", "StickerContainers", "StickerRaster", "StickerCodecs",
                "StickerDrawing", "StickerSmart", "StickerTestSupport",
            ],
            exclude: ["Fixtures"], swiftSettings: unhurried),
        .testTarget(
            name: "StickerCodecsTests",
            dependencies: [
                "StickerModel", "StickerContainers", "StickerRaster", "StickerCodecs",
                "CTurboJPEG", "CLCMS", "CWebP", "StickerTestSupport",
            ],
            swiftSettings: unhurried),
        .testTarget(
            name: "StickerPipelineTests",
            dependencies: [
                "StickerModel", "StickerContainers", "StickerRaster", "StickerCodecs",
                "StickerPipeline", "StickerFormats", "StickerHEIC", "StickerTestSupport",
            ],
            exclude: ["Fixtures"], swiftSettings: unhurried),
        .testTarget(
            name: "StickerPacksTests",
            dependencies: [
                "StickerModel", "StickerContainers", "StickerRaster", "StickerCodecs",
                "StickerPacks", "StickerTestSupport",
            ],
            swiftSettings: unhurried),
        .testTarget(
            name: "StickerFormatsTests",
            dependencies: [
                "StickerModel", "StickerContainers", "StickerRaster", "StickerCodecs",
                "StickerPipeline", "StickerFormats", "StickerHEIC", "StickerTestSupport",
            ],
            swiftSettings: unhurried),
        .testTarget(
            name: "StickerSmartTests",
            dependencies: ["StickerModel", "StickerSmart", "StickerTestSupport"],
            exclude: ["calendar.py"], swiftSettings: unhurried),
        .testTarget(
            name: "StickerConsoleTests",
            dependencies: [
                "StickerModel", "StickerSystem", "StickerStore", "StickerHTTP", "StickerConsole",
                "StickerTestSupport",
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
            ],
            swiftSettings: unhurried),
        .testTarget(
            name: "StickerWeatherTests",
            dependencies: ["StickerModel", "StickerFetch", "StickerWeather", "StickerTestSupport"],
            swiftSettings: unhurried),
        .testTarget(
            name: "StickerUpstreamsTests",
            dependencies: [
                "StickerModel", "StickerFetch", "StickerUpstreams", "StickerTestSupport",
            ],
            swiftSettings: unhurried),
        .testTarget(
            name: "StickerKitTests",
            dependencies: ["StickerModel", "CCrypto", "StickerKit", "StickerTestSupport"],
            swiftSettings: unhurried),
        // A provider as photo and video editors publish it, in the language of their samples.
        .executableTarget(
            name: "provider-sample", dependencies: ["StickerKit"], path: "Tests/ProviderSample",
            swiftSettings: [.swiftLanguageMode(.v5)]),
        // A worker that a picture has taken over.
        .target(name: "CMisdeeds", path: "Tests/CMisdeeds"),
        .executableTarget(
            name: "hostile-worker",
            dependencies: [
                "StickerModel", "StickerWorkers", "StickerConfinement", "CLinux", "CMisdeeds",
            ],
            path: "Tests/HostileWorker", swiftSettings: strict),
        .testTarget(
            name: "StickerWorkersTests",
            dependencies: [
                "StickerModel", "StickerContainers", "StickerRaster", "StickerCodecs",
                "StickerPipeline", "StickerWorkers", "StickerTestSupport", "CMisdeeds",
                "hostile-worker",
            ],
            swiftSettings: unhurried),
        .testTarget(
            name: "StickerStoreTests",
            dependencies: [
                "StickerModel", "StickerSystem", "StickerHashes", "StickerStore",
                "StickerTestSupport",
                .product(name: "GRDB", package: "GRDB.swift"),
            ],
            swiftSettings: unhurried),
        .testTarget(
            name: "StickerWatchTests",
            dependencies: ["StickerModel", "StickerSystem", "StickerWatch", "StickerTestSupport"],
            swiftSettings: watching),
        .testTarget(
            name: "StickerDaemonTests",
            dependencies: [
                "StickerModel", "StickerSystem", "StickerHashes", "StickerRaster", "StickerCodecs",
                "StickerStore", "StickerReports", "StickerWatch", "StickerLogs", "StickerMetrics",
                "StickerDaemon", "StickerTestSupport",
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: unhurried),
        .testTarget(
            name: "StickerImportTests",
            dependencies: [
                "StickerModel", "StickerSystem", "StickerPacks", "StickerArchives",
                "StickerImport", "StickerTestSupport",
            ],
            swiftSettings: unhurried),
        .testTarget(
            name: "StickerReportsTests",
            dependencies: [
                "StickerModel", "StickerHashes", "StickerStore", "StickerReports",
                "StickerTestSupport",
            ],
            swiftSettings: unhurried),
        .testTarget(
            name: "StickerctlTests",
            dependencies: ["StickerModel", "StickerHashes", "StickerStore", "StickerTestSupport"],
            swiftSettings: unhurried),
        .testTarget(
            name: "StickerdBenchTests",
            dependencies: [
                "StickerModel", "StickerRaster", "StickerCodecs", "stickerd-bench",
                "StickerTestSupport",
            ],
            swiftSettings: unhurried),
        .testTarget(
            name: "EndToEndTests",
            dependencies: [
                "StickerModel", "StickerPacks", "StickerExport", "StickerCodecs", "StickerRaster",
                "CCrypto", "StickerKit", "StickerTestSupport",
                .product(name: "GRDB", package: "GRDB.swift"),
            ],
            exclude: ["Fixtures"], swiftSettings: unhurried),
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
            guard let target = targets.first(where: { $0.name == name }) else {
                fatalError("there is no target \(name)")
            }
            for case .byNameItem(let name, _) in target.dependencies { next.append(name) }
            for case .targetItem(let name, _) in target.dependencies { next.append(name) }
        }
        targets.removeAll { !kept.contains($0.name) }
        products.removeAll { !kept.contains($0.name) }
        let used = targets.flatMap(\.dependencies).compactMap(\.package)
        dependencies.removeAll { !used.contains($0.identity) }
    }
}

extension Target.Dependency {
    fileprivate var package: String? {
        if case .productItem(_, let package?, _, _) = self { package.lowercased() } else { nil }
    }
}

extension Package.Dependency {
    /// The end of its address, by which SwiftPM knows it.
    fileprivate var identity: String {
        guard case .sourceControl(_, let location, _) = kind else { return "" }
        return (location.split(separator: "/").last ?? "").lowercased()
    }
}

// Builds a part in one go: `daemon`, `programs`, or targets by name, of tests too, with commas between
// them: STICKERD_BUILD=StickerCodecsTests swift test.
if let names = Context.environment["STICKERD_BUILD"] {
    package.keep(
        names.split(separator: ",").flatMap { name in
            switch name {
            case "daemon": daemon
            case "programs": daemon + others
            default: [String(name)]
            }
        })
}
