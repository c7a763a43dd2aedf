// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "FieldApp",
  platforms: [.macOS(.v15), .iOS(.v18)],
  products: [.library(name: "FieldApp", targets: ["FieldApp"])],
  dependencies: [.package(name: "FieldKit", path: "../..")],
  targets: [
    .target(
      name: "FieldApp",
      dependencies: [
        .product(name: "FieldKit", package: "FieldKit"),
        .product(name: "FieldFakes", package: "FieldKit"),
      ]),
    .testTarget(
      name: "FieldAppTests",
      dependencies: ["FieldApp", .product(name: "FieldKit", package: "FieldKit")]),
  ],
  swiftLanguageModes: [.v6]
)
