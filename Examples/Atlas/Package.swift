// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "Atlas",
  platforms: [.macOS(.v15)],
  traits: [.trait(name: "Database", description: "Keeps data in PostgreSQL. Requires libpq.")],
  dependencies: [
    .package(name: "FieldKit", path: "../.."),
    .package(name: "SharedStore", path: "../SharedStore"),
    .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.0.0"),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.5.0"),
    .package(url: "https://github.com/apple/swift-log", from: "1.6.0"),
    .package(url: "https://github.com/apple/swift-http-types", from: "1.0.0"),
    .package(url: "https://github.com/apple/swift-nio", from: "2.80.0"),
    .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.6.0"),
  ],
  targets: [
    .target(
      name: "AtlasServer",
      dependencies: [
        .product(name: "FieldKit", package: "FieldKit"),
        .product(name: "FieldFakes", package: "FieldKit"),
        .product(name: "FieldPortals", package: "FieldKit"),
        .product(name: "FieldTransit", package: "FieldKit"),
        .product(
          name: "SharedStore", package: "SharedStore", condition: .when(traits: ["Database"])),
        .product(name: "Hummingbird", package: "hummingbird"),
        .product(name: "HTTPTypes", package: "swift-http-types"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
      ],
      resources: [.copy("Public"), .copy("Data")]),
    .executableTarget(
      name: "atlas",
      dependencies: [
        "AtlasServer",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "Logging", package: "swift-log"),
      ],
      path: "Sources/Atlas"),
    .testTarget(
      name: "AtlasServerTests",
      dependencies: [
        "AtlasServer",
        .product(name: "FieldFakes", package: "FieldKit"),
        .product(name: "FieldKit", package: "FieldKit"),
        .product(name: "HTTPTypes", package: "swift-http-types"),
        .product(name: "Hummingbird", package: "hummingbird"),
        .product(name: "HummingbirdTesting", package: "hummingbird"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "NIOCore", package: "swift-nio"),
      ]),
  ],
  swiftLanguageModes: [.v6]
)
