// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "KillRecorder",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(name: "FieldKit", path: "../.."), .package(path: "../KillSupport"),
  ],
  targets: [
    .executableTarget(
      name: "KillRecorder",
      dependencies: [
        .product(name: "WalkKit", package: "FieldKit"),
        .product(name: "KillSupport", package: "KillSupport"),
      ],
      swiftSettings: [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
      ])
  ],
  swiftLanguageModes: [.v6]
)
