// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "Suites",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "FieldKit", path: "../..")],
  targets: [
    .executableTarget(
      name: "Suites",
      dependencies: [
        .product(name: "FieldKit", package: "FieldKit"),
        .product(name: "FieldXML", package: "FieldKit"),
      ],
      swiftSettings: [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
      ])
  ],
  swiftLanguageModes: [.v6]
)
