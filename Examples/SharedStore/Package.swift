// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "SharedStore",
  platforms: [.macOS(.v15)],
  products: [.library(name: "SharedStore", targets: ["SharedStore"])],
  dependencies: [.package(name: "FieldKit", path: "../..")],
  targets: [
    .systemLibrary(
      name: "CPostgreSQL", pkgConfig: "libpq", providers: [.apt(["libpq-dev"]), .brew(["libpq"])]),
    .target(
      name: "SharedStore",
      dependencies: ["CPostgreSQL", .product(name: "FieldCore", package: "FieldKit")]),
    .executableTarget(
      name: "shared-store-writer",
      dependencies: ["SharedStore", .product(name: "FieldCore", package: "FieldKit")],
      path: "Sources/SharedStoreWriter"),
    .testTarget(
      name: "SharedStoreTests",
      dependencies: [
        "SharedStore", "shared-store-writer",
        .product(name: "FieldCore", package: "FieldKit"),
        .product(name: "FieldTesting", package: "FieldKit"),
        .product(name: "WalkKit", package: "FieldKit"),
      ]),
  ],
  swiftLanguageModes: [.v6]
)
