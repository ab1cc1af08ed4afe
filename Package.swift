// swift-tools-version: 6.2
import PackageDescription

// The order of the groups is the architecture: each target may import only what stands above it. A folder of `Sources` is
// a group, and `Tests` mirrors it; the module of `Sources/Picture/Raster` is `StickerRaster`.

// MARK: Settings

let library: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

/// Tests see what is internal in release builds too: they run with the build that is handed out.
let strict = library + [.unsafeFlags(["-enable-testing"], .when(configuration: .release))]

/// Pixel code is optimised in debug builds too: SIMD without the optimiser is a hundred times slower.
let pixels = strict + [.unsafeFlags(["-O"], .when(configuration: .debug))]

/// Code that waits for disks, the database, workers and people, and tests: the optimiser would take longer for it than
/// for everything else.
let unhurried = strict + [.unsafeFlags(["-Onone"], .when(configuration: .release))]

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
let watching = unhurried + (hasInotifyTools ? [.define("InotifyTools")] : [])

// MARK: Targets

/// The daemon with its workers.
let daemon = [
    "stickerd", "stickerd-worker", "stickerd-worker-formats", "stickerd-worker-heic",
    "stickerd-worker-drawing",
]

/// The programs beside it: for operators, and for other machines.
let others = ["stickerctl", "stickerd-web", "stickerd-console", "stickerd-net"]

// C libraries, one module each, and C of our own.
let c: [Target] = [
    system("CWebP", "libwebp-dev"),
    system("CTurboJPEG", "libturbojpeg0-dev"),
    system("CDeflate", "libdeflate-dev"),
    system("CGIF", "libgif-dev"),
    system("CAVIF", "libavif-dev"),
    system("CHEIF", "libheif-dev"),
    system("CLCMS", "liblcms2-dev"),
    system("CPango", "libpango1.0-dev", pkgConfig: "pangocairo"),
    system("CRSVG", "librsvg2-dev", pkgConfig: "librsvg-2.0"),
    system("CXML2", "libxml2-dev", pkgConfig: "libxml-2.0"),
    system("CCrypto", "libssl-dev"),
    system("CCURL", "libcurl4-openssl-dev"),
    system("CSystemd", "libsystemd-dev"),
    system("CArchive", "libarchive-dev"),
    system("CZlib", "zlib1g-dev"),
    system("CInotifyTools", "libinotifytools0-dev"),
    .target(name: "CPNG", path: "Sources/C/CPNG"),
    .target(name: "CTIFF", path: "Sources/C/CTIFF"),
    .target(
        name: "CPages", path: "Sources/C/CPages",
        exclude: ["compose", "console", "gallery", "openapi.json", "shared"]),
    .target(name: "CLanes", path: "Sources/C/CLanes"),
    .target(name: "CLinux", path: "Sources/C/CLinux"),
    .target(name: "CSandbox", path: "Sources/C/CSandbox"),
]

// Values: what a sticker, a job, a recipe and a manifest are. Optimised: they read JSON of others. The settings of an
// operator stand apart, so that pixel code does not see those of the web or the console.
let model: [Target] = [
    .target(
        name: "StickerValues", path: "Sources/Model/Values",
        resources: [.embedInCode("Targets/targets.json")], swiftSettings: strict),
    module("Model/Configuration", "Values", strict),
]

// From bytes to pixels and back. Synchronous; no disk, no clock, no queue. What reads further formats, and what draws
// vectors and words, is set for programs of its own: their libraries cost start time.
let picture: [Target] = [
    module("Picture/Containers", "Values", pixels),
    module("Picture/Raster", "Values CLanes", pixels),
    module(
        "Picture/Codecs", "Values Containers Raster CWebP CPNG CDeflate CTurboJPEG CGIF CLCMS",
        pixels),
    module("Picture/Pipeline", "Values Containers Raster Codecs", pixels),
    module("Picture/Formats", "Values Containers Raster Codecs Pipeline CTIFF CAVIF", pixels),
    module("Picture/HEIC", "Values Containers Raster Codecs Pipeline CHEIF", pixels),
    module(
        "Picture/Drawing",
        "Values Containers Raster Codecs Pipeline Formats CPango CRSVG CXML2 CZlib", strict),
]

// The durable side: files, jobs, the catalog, packs of what is published and packs of others, and what operators read.
let durable: [Target] = [
    module("Library/System", "Model CLinux CCrypto"),
    module("Library/Store", "Model System CLinux", products: [grdb, logging]),
    module("Library/Packs", "Model Containers"),
    module("Library/PackFiles", "Model System Packs Store CLinux CArchive CZlib"),
    module("Library/Reports", "Model System Containers Store"),
]

// The watched folders, the processes that make pictures, templates, the start and log lines of programs, figures, and the
// composition root.
let making: [Target] = [
    module(
        "Daemon/Watch",
        "Model System Containers CLinux" + (hasInotifyTools ? " CInotifyTools" : ""), watching,
        products: [logging]),
    module("Daemon/Workers", "Model System Containers CLinux"),
    module("Daemon/WorkerMain", "Values Raster Codecs Pipeline Workers CLinux CSandbox"),
    module("Daemon/Smart", "Model Containers"),
    module("Daemon/Program", "Model CSystemd", products: [arguments, logging]),
    module("Daemon/Metrics", "System", products: [coreMetrics]),
    module(
        "Daemon/Daemon",
        """
        Model System Containers Store Packs PackFiles Smart Reports Watch Program Metrics
        Workers CLinux CSystemd
        """, products: [coreMetrics, logging]),
]

// HTTP, in both directions. Sites do not depend on the server, so that both are compiled at once.
let net: [Target] = [
    module("Net/Services", "Model System CCURL"),
    module("Net/HTTP", "Model System CPages", strict, products: [nio("NIOCore"), nio("NIOPosix")]),
    module(
        "Net/Server", "Model System HTTP CLinux", strict,
        products: [
            .product(name: "HummingbirdCore", package: "hummingbird"), logging, nio("NIOCore"),
            nio("NIOHTTP1"), nio("NIOPosix"),
            .product(name: "NIOHTTPTypes", package: "swift-nio-extras"),
            .product(name: "NIOHTTPTypesHTTP1", package: "swift-nio-extras"),
            .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            .product(name: "UnixSignals", package: "swift-service-lifecycle"),
        ]),
    module(
        "Net/Web", "Model System Containers Metrics Services HTTP", strict,
        products: [coreMetrics, grdb, logging, nio("NIOCore")]),
    module(
        "Net/Console",
        "Model System Containers Packs PackFiles Store Reports Workers HTTP CLinux",
        products: [logging, nio("NIOCore")]),
]

// For apps, also on iOS and macOS: asks stickerd-web, reads what is published, keeps pictures. It imports nothing but
// Foundation, and nothing in it needs unsafe flags.
let kit: [Target] = [.target(name: "StickerKit", path: "Sources/Kit", swiftSettings: library)]

let programs: [Target] = [
    program("stickerd", "Model Program Store Daemon", strict, products: [arguments, logging]),
    program(
        "stickerctl", "Model System Store Reports Workers Packs PackFiles Smart Program CLinux",
        products: [arguments]),
    program("stickerd-worker", "Pipeline WorkerMain", strict, confined),
    program("stickerd-worker-formats", "Pipeline Formats WorkerMain", strict, confined),
    program("stickerd-worker-heic", "Pipeline HEIC WorkerMain", strict, confined),
    program(
        "stickerd-worker-drawing", "Model Raster Pipeline Drawing Workers WorkerMain", strict,
        confined),
    program("stickerd-net", "Model System Program Services", products: [arguments, logging]),
    program("stickerd-web", "Model Program Web Server", strict, products: [arguments, logging]),
    program(
        "stickerd-console", "Model Program Store Console Server", products: [arguments, logging]),
]

// No part of the product: the first measures, the second draws what `make demo` and the README's pictures drop.
let tools: [Target] = [
    .executableTarget(
        name: "stickerd-bench",
        dependencies: needs("Values Raster Codecs Pipeline CWebP") + [arguments],
        path: "Sources/Tools/stickerd-bench", swiftSettings: pixels),
    .executableTarget(
        name: "stickerd-demo", dependencies: needs("Values Raster Codecs"),
        path: "Sources/Tools/stickerd-demo", swiftSettings: pixels),
    .executableTarget(
        name: "stickerkit-example", dependencies: ["StickerKit"],
        path: "Sources/Tools/stickerkit-example", swiftSettings: strict),
]

let tests: [Target] = [
    .target(
        name: "StickerTestSupport", dependencies: needs("Model Containers Raster"),
        path: "Tests/StickerTestSupport", swiftSettings: pixels),
    suite("Model/Values", "Model"),
    suite("Model/Configuration", "Model"),
    suite("Picture/Containers", "Values Containers Raster Codecs"),
    suite("Picture/Raster", "Raster"),
    suite("Picture/Codecs", "Values Containers Raster Codecs CTurboJPEG CLCMS CWebP"),
    suite(
        "Picture/Pipeline", "Values Containers Raster Codecs Pipeline Formats HEIC",
        exclude: ["Fixtures"]),
    suite("Picture/Formats", "Values Containers Raster Codecs Pipeline Formats HEIC"),
    suite(
        "Picture/Drawing", "Values Containers Raster Codecs Drawing Smart", exclude: ["Fixtures"]),
    suite("Library/System", "System"),
    suite("Library/Store", "Model System Store", products: [grdb]),
    suite("Library/Packs", "Model Containers Raster Codecs Packs"),
    suite("Library/PackFiles", "Model System Packs PackFiles Store"),
    suite("Library/Reports", "Model System Store Reports"),
    suite("Daemon/Watch", "Model System Watch", watching),
    suite(
        "Daemon/Workers",
        "Model Containers Raster Codecs Pipeline Workers CMisdeeds hostile-worker"),
    suite("Daemon/Smart", "Model Smart", exclude: ["calendar.py"]),
    suite("Daemon/Program", "Model Program", products: [arguments, logging]),
    suite("Daemon/Metrics", "Metrics", products: [coreMetrics]),
    suite(
        "Daemon/Daemon",
        "Model System Raster Codecs Store Reports Watch Program Metrics Daemon",
        products: [logging]),
    suite("Net/Services", "Model Services"),
    suite(
        "Net/Web", "Model System Metrics Services HTTP Server Web",
        products: [
            logging, nio("NIOCore"), grdb, nio("NIOEmbedded"),
            .product(name: "NIOHTTPTypes", package: "swift-nio-extras"),
        ]),
    suite(
        "Net/Console", "Model System Store HTTP Console", products: [logging, nio("NIOCore")]),
    suite("Kit", "Model CCrypto StickerKit"),
    suite("Programs/stickerctl", "Model System Store"),
    suite("Tools/stickerd-bench", "Values Raster Codecs stickerd-bench"),
    .testTarget(
        name: "EndToEndTests",
        dependencies: needs("Model Packs PackFiles Codecs Raster CCrypto StickerKit TestSupport")
            + [grdb],
        exclude: ["Fixtures"], swiftSettings: unhurried),
    // A provider as photo and video editors publish it, in the language of their samples.
    .executableTarget(
        name: "provider-sample", dependencies: ["StickerKit"], path: "Tests/ProviderSample",
        swiftSettings: [.swiftLanguageMode(.v5)]),
    // A worker that a picture has taken over.
    .target(name: "CMisdeeds", path: "Tests/CMisdeeds"),
    .executableTarget(
        name: "hostile-worker",
        dependencies: needs("Model Workers WorkerMain CLinux CMisdeeds"),
        path: "Tests/HostileWorker", swiftSettings: strict),
]

// Needs libFuzzer's runtime: deploy/fuzz/fuzz.sh asks for it.
let fuzzing: [Target] = [
    .target(name: "CFuzzer", path: "Tests/CFuzzer"),
    .executableTarget(
        name: "stickerd-fuzz",
        dependencies: needs(
            """
            Model System Containers Raster Codecs Pipeline Formats Store Workers Packs PackFiles
            CLinux CFuzzer
            """),
        path: "Tests/Fuzz", swiftSettings: pixels,
        linkerSettings: [.linkedLibrary("z")]),  // of the decoders that fuzz.sh builds
]

// MARK: Package

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
    targets: c + model + picture + durable + making + net + kit + programs + tools + tests
        + (Context.environment["STICKERD_FUZZ"] == nil ? [] : fuzzing),
    swiftLanguageModes: [.v6]
)

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

// MARK: Shorthands

var arguments: Target.Dependency {
    .product(name: "ArgumentParser", package: "swift-argument-parser")
}
var coreMetrics: Target.Dependency { .product(name: "CoreMetrics", package: "swift-metrics") }
var grdb: Target.Dependency { .product(name: "GRDB", package: "GRDB.swift") }
var logging: Target.Dependency { .product(name: "Logging", package: "swift-log") }
func nio(_ name: String) -> Target.Dependency { .product(name: name, package: "swift-nio") }

func system(_ name: String, _ debian: String, pkgConfig: String? = nil) -> Target {
    .systemLibrary(
        name: name, path: "Sources/C/\(name)", pkgConfig: pkgConfig, providers: [.apt([debian])])
}

/// `Raster` is the module `StickerRaster`; C modules, StickerKit and programs have their names.
func module(named name: String) -> String {
    let isC = name.hasPrefix("C") && name.dropFirst().first?.isUppercase == true
    return isC || name == "StickerKit" || name.first?.isLowercase == true ? name : "Sticker\(name)"
}

func lastPart(_ folder: String) -> String {
    folder.split(separator: "/").last.map(String.init) ?? ""
}

/// The modules of a list; `Model` stands for both of its group.
func needs(_ modules: String) -> [Target.Dependency] {
    modules.split { " \n".contains($0) }.flatMap {
        $0 == "Model" ? ["Values", "Configuration"] : [$0]
    }
    .map { .byName(name: module(named: String($0))) }
}

func module(
    _ folder: String, _ modules: String, _ settings: [SwiftSetting] = unhurried,
    products: [Target.Dependency] = []
) -> Target {
    .target(
        name: module(named: lastPart(folder)),
        dependencies: needs(modules) + products, path: "Sources/\(folder)", swiftSettings: settings)
}

func program(
    _ name: String, _ modules: String, _ settings: [SwiftSetting] = unhurried,
    _ linking: [LinkerSetting] = standalone, products: [Target.Dependency] = []
) -> Target {
    .executableTarget(
        name: name, dependencies: needs(modules) + products, path: "Sources/Programs/\(name)",
        swiftSettings: settings, linkerSettings: linking)
}

func suite(
    _ folder: String, _ modules: String, _ settings: [SwiftSetting] = unhurried,
    products: [Target.Dependency] = [], exclude: [String] = []
) -> Target {
    let name = folder == "Kit" ? "StickerKit" : lastPart(folder)
    let named = ["stickerctl": "Stickerctl", "stickerd-bench": "StickerdBench"]
    return .testTarget(
        name: "\(named[name] ?? module(named: name))Tests",
        dependencies: needs(modules + " TestSupport") + products, path: "Tests/\(folder)Tests",
        exclude: exclude, swiftSettings: settings)
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
