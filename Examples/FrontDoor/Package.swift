// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "FrontDoor",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "FieldKit", path: "../..")],
  targets: [
    .executableTarget(
      name: "FrontDoor",
      dependencies: [
        .product(name: "FieldKit", package: "FieldKit"),
        .product(name: "FieldFakes", package: "FieldKit"),
      ]),
    .testTarget(
      name: "FrontDoorTests",
      dependencies: [
        .product(name: "FieldKit", package: "FieldKit"),
        .product(name: "FieldTesting", package: "FieldKit"),
      ]),
  ]
)
