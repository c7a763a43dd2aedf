// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "KillSupport",
  platforms: [.macOS(.v15)],
  products: [.library(name: "KillSupport", targets: ["KillSupport"])],
  targets: [
    .target(
      name: "KillSupport",
      swiftSettings: [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
      ])
  ],
  swiftLanguageModes: [.v6]
)
