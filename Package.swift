// swift-tools-version: 6.0
// Debian packages behind the system libraries are named once, in `packages.txt`; `make` installs them.
import PackageDescription

let releaseC: [CSetting] = [.define("NDEBUG", .when(configuration: .release))]
let releaseCXX: [CXXSetting] = [.define("NDEBUG", .when(configuration: .release))]

/// A system library, found through pkg-config where it says anything that is needed.
func system(_ name: String, _ pkgConfig: String?, apt: String) -> Target {
    .systemLibrary(name: name, path: "CModules/System/\(name)", pkgConfig: pkgConfig, providers: [.apt([apt])])
}

/// One room: a library target and its tests.
func room(_ name: String, _ dependencies: [Target.Dependency], resources: [Resource] = []) -> Target {
    .target(name: name, dependencies: dependencies, path: "Sources/\(name)", resources: resources)
}

func tests(_ name: String, _ dependencies: [Target.Dependency], resources: [Resource] = []) -> Target {
    .testTarget(name: name, dependencies: dependencies, path: "Tests/\(name)", resources: resources)
}

/// The rooms that the umbrella joins. Whoever uses its types names them all: a build compiles a target again only when a
/// module that it names has changed, and a type of one room lies inside the types of another.
let rooms: [Target.Dependency] = [
    "FootholdScene", "FootholdCapture", "FootholdTracking", "FootholdPlacement", "FootholdCoaching",
    "FootholdRendering", "FootholdExport", "FootholdEvaluation",
]

let package = Package(
    name: "foothold",
    defaultLocalization: "en",
    products: [
        .library(name: "Foothold", targets: ["Foothold"]),
        .library(name: "FootholdScene", targets: ["FootholdScene"]),
        .library(name: "FootholdCapture", targets: ["FootholdCapture"]),
        .library(name: "FootholdTracking", targets: ["FootholdTracking"]),
        .library(name: "FootholdPlacement", targets: ["FootholdPlacement"]),
        .library(name: "FootholdCoaching", targets: ["FootholdCoaching"]),
        .library(name: "FootholdEvaluation", targets: ["FootholdEvaluation"]),
        .library(name: "FootholdSynthesis", targets: ["FootholdSynthesis"]),
        .executable(name: "foothold", targets: ["FootholdTool"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
    ],
    targets: [
        // System libraries
        system("CAVFormat", "libavformat", apt: "libavformat-dev"),
        system("CAVCodec", "libavcodec", apt: "libavcodec-dev"),
        system("CAVUtil", "libavutil", apt: "libavutil-dev"),
        system("CSWScale", "libswscale", apt: "libswscale-dev"),
        system("CEigen", "eigen3", apt: "libeigen3-dev"),
        // libhwy.pc only adds a definition that the package manager refuses with a warning.
        system("CHighway", nil, apt: "libhwy-dev"),
        system("CEGL", "egl", apt: "libegl-dev"),
        system("CGLES", "glesv2", apt: "libgles-dev"),
        system("CFreeType", "freetype2", apt: "libfreetype-dev"),
        system("CFontconfig", "fontconfig", apt: "libfontconfig-dev"),
        system("CAssimp", "assimp", apt: "libassimp-dev"),
        system("CZlib", "zlib", apt: "zlib1g-dev"),

        // The C core
        .target(
            name: "CFootholdKernels", dependencies: ["CHighway"], path: "CModules/CFootholdKernels",
            sources: ["src"], publicHeadersPath: "include",
            cxxSettings: releaseCXX + [.headerSearchPath("src")], linkerSettings: [.linkedLibrary("hwy")]),
        .target(
            name: "CFootholdEngine", dependencies: ["CFootholdKernels", "CEigen"],
            path: "CModules/CFootholdEngine", exclude: ["opencv-include"],
            sources: ["src"], publicHeadersPath: "include",
            cxxSettings: releaseCXX + [.headerSearchPath("src"), .headerSearchPath("opencv-include")],
            // Only the OpenCV modules used: opencv4.pc names all of them, which costs 0.2 s at start-up.
            linkerSettings: ["core", "imgproc", "features2d", "calib3d", "video"].map { .linkedLibrary("opencv_\($0)") }
        ),
        // Numbers about the engine's inner parts (Jacobian errors, estimator errors) for its tests.
        .target(
            name: "CFootholdEngineChecks", dependencies: ["CFootholdEngine", "CAllocationCounter", "CEigen"],
            path: "CModules/CFootholdEngineChecks", sources: ["src"], publicHeadersPath: "include",
            cxxSettings: releaseCXX + [
                .headerSearchPath("../CFootholdEngine/src"), .headerSearchPath("../CFootholdEngine/opencv-include"),
            ]),
        // What `foothold bench kernels` runs: the kernels beside OpenCV, which stays inside.
        .target(
            name: "CFootholdKernelBenchmarks", dependencies: ["CFootholdKernels"], path: "Benchmarks/Kernels",
            exclude: ["opencv-include"], sources: ["src"], publicHeadersPath: "include",
            cxxSettings: releaseCXX + [.headerSearchPath("src"), .headerSearchPath("opencv-include")],
            linkerSettings: ["core", "imgproc", "features2d", "calib3d", "video"].map { .linkedLibrary("opencv_\($0)") }
        ),
        .target(
            name: "CFootholdCalibration", path: "CModules/CFootholdCalibration", sources: ["src"],
            publicHeadersPath: "include",
            cxxSettings: releaseCXX + [
                .headerSearchPath("src"), .headerSearchPath("../CFootholdEngine/opencv-include"),
            ],
            linkerSettings: ["core", "imgproc", "calib3d"].map { .linkedLibrary("opencv_\($0)") }),
        .target(
            name: "CFootholdV4L2", path: "CModules/CFootholdV4L2", sources: ["src"], publicHeadersPath: "include",
            cSettings: releaseC + [.define("_GNU_SOURCE")]),
        .target(
            name: "CFootholdMedia", dependencies: ["CAVFormat", "CAVCodec", "CAVUtil", "CSWScale"],
            path: "CModules/CFootholdMedia", sources: ["src"], publicHeadersPath: "include",
            cSettings: releaseC),

        // The rooms
        room("FootholdScene", []),
        room(
            "FootholdCapture",
            [
                "FootholdScene", "CFootholdMedia", "CFootholdV4L2", "CFootholdCalibration",
                .product(name: "Logging", package: "swift-log"),
            ]),
        room("FootholdTracking", ["FootholdScene", "CFootholdEngine"]),
        room("FootholdPlacement", ["FootholdScene"]),
        room("FootholdCoaching", ["FootholdScene"], resources: [.process("Resources")]),
        room(
            "FootholdRendering",
            ["FootholdScene", "CEGL", "CGLES", "CFreeType", "CFontconfig", "CAssimp", "CFootholdMedia"]),
        room("FootholdExport", ["FootholdScene"]),
        room("FootholdSynthesis", ["FootholdScene", "CZlib"]),
        room("FootholdEvaluation", ["FootholdScene", "CZlib"]),
        room(
            "Foothold",
            rooms + [
                // For benchmarks on made-up recordings.
                "FootholdSynthesis",
                // For telling which instruction set they run with.
                "CFootholdKernels",
                .product(name: "Logging", package: "swift-log"),
            ]),
        .executableTarget(
            name: "FootholdTool",
            dependencies: rooms + [
                "Foothold", "FootholdSynthesis", "CFootholdKernels", "CFootholdKernelBenchmarks",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            path: "Sources/FootholdTool"),
        // The example's sources, so that every test run builds them; they are a package of their own too.
        .executableTarget(
            name: "StandingBoxExample", dependencies: rooms + ["Foothold"],
            path: "Examples/StandingBox/Sources/StandingBox"),

        // Tests
        .target(
            name: "CAllocationCounter", path: "CModules/CAllocationCounter", sources: ["src"],
            publicHeadersPath: "include"),
        tests("CFootholdKernelsTests", ["CFootholdKernels", "CAllocationCounter"]),
        tests("CFootholdEngineTests", ["CFootholdEngine", "CFootholdEngineChecks"]),
        tests("FootholdSceneTests", ["FootholdScene"]),
        .testTarget(
            name: "FootholdCaptureTests", dependencies: ["FootholdScene", "FootholdCapture", "CFootholdMedia"],
            path: "Tests/FootholdCaptureTests", exclude: ["make-fixtures.sh"], resources: [.copy("Fixtures")]),
        tests(
            "FootholdTrackingTests", ["FootholdScene", "FootholdTracking", "FootholdSynthesis", "FootholdEvaluation"]),
        tests("FootholdPlacementTests", ["FootholdScene", "FootholdPlacement"]),
        tests("FootholdCoachingTests", ["FootholdScene", "FootholdCoaching"], resources: [.copy("Words")]),
        tests("FootholdRenderingTests", ["FootholdScene", "FootholdRendering", "CFootholdMedia"]),
        tests("FootholdExportTests", ["FootholdScene", "FootholdExport"]),
        tests(
            "FootholdSynthesisTests",
            ["FootholdScene", "FootholdSynthesis", "FootholdEvaluation", "FootholdCapture"]),
        tests(
            "FootholdEvaluationTests", ["FootholdScene", "FootholdEvaluation", "FootholdExport"],
            resources: [.copy("Fixtures")]),
        tests("EndToEndTests", rooms + ["Foothold"]),
    ],
    swiftLanguageModes: [.v6],
    cLanguageStandard: .c17,
    cxxLanguageStandard: .cxx20
)
