// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "FieldGRDB",
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  products: [
    .library(name: "FieldGRDB", targets: ["FieldGRDB"])
  ],
  dependencies: [
    .package(name: "FieldKit", path: "../.."),
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
  ],
  targets: [
    .target(
      name: "FieldGRDB",
      dependencies: [
        .product(name: "FieldCore", package: "FieldKit"),
        .product(name: "GRDB", package: "GRDB.swift"),
      ]),
    .executableTarget(
      name: "SyncTool",
      dependencies: [
        "FieldGRDB",
        .product(name: "FieldCore", package: "FieldKit"),
        .product(name: "GRDB", package: "GRDB.swift"),
      ]),
    .testTarget(
      name: "FieldGRDBTests",
      dependencies: [
        "FieldGRDB",
        .product(name: "FieldCore", package: "FieldKit"),
        .product(name: "FieldFakes", package: "FieldKit"),
        .product(name: "FieldPortals", package: "FieldKit"),
        .product(name: "FieldTesting", package: "FieldKit"),
        .product(name: "GRDB", package: "GRDB.swift"),
      ]),
  ],
  swiftLanguageModes: [.v6]
)
