// swift-tools-version: 6.0
import PackageDescription

let package = Package(
    name: "StandingBox",
    dependencies: [.package(name: "foothold", path: "../..")],
    targets: [
        .executableTarget(name: "StandingBox", dependencies: [.product(name: "Foothold", package: "foothold")])
    ]
)
