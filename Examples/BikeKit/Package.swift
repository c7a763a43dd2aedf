// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "BikeKit",
  platforms: [.macOS(.v15), .iOS(.v18)],
  products: [.library(name: "BikeKit", targets: ["BikeKit"])],
  dependencies: [.package(name: "FieldKit", path: "../..")],
  targets: [
    .target(name: "BikeKit", dependencies: [.product(name: "FieldCore", package: "FieldKit")]),
    .testTarget(
      name: "BikeKitTests",
      dependencies: [
        "BikeKit", .product(name: "FieldKit", package: "FieldKit"),
        .product(name: "FieldTesting", package: "FieldKit"),
      ]),
  ]
)
