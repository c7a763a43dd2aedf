// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "FieldObservability",
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  products: [
    .library(name: "FieldObservability", targets: ["FieldObservability"])
  ],
  dependencies: [
    .package(name: "FieldKit", path: "../.."),
    .package(url: "https://github.com/apple/swift-log", from: "1.9.0"),
    .package(url: "https://github.com/apple/swift-metrics", from: "2.5.0"),
    .package(url: "https://github.com/apple/swift-distributed-tracing", from: "1.3.0"),
  ],
  targets: [
    .target(
      name: "FieldObservability",
      dependencies: [
        .product(name: "FieldCore", package: "FieldKit"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "Metrics", package: "swift-metrics"),
        .product(name: "Tracing", package: "swift-distributed-tracing"),
      ]),
    .testTarget(
      name: "FieldObservabilityTests",
      dependencies: [
        "FieldObservability",
        .product(name: "FieldCore", package: "FieldKit"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "InMemoryLogging", package: "swift-log"),
        .product(name: "MetricsTestKit", package: "swift-metrics"),
        .product(name: "InMemoryTracing", package: "swift-distributed-tracing"),
        .product(name: "Tracing", package: "swift-distributed-tracing"),
      ]),
  ],
  swiftLanguageModes: [.v6]
)
