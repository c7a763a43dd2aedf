// swift-tools-version: 6.2
import PackageDescription

// It builds only what a program over your own data needs, so that there is something to see soon.
let package = Package(
  name: "FirstLook",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "FieldKit", path: "../..")],
  targets: [
    .executableTarget(
      name: "first-look",
      dependencies: [
        .product(name: "FieldCore", package: "FieldKit"),
        .product(name: "FieldURLSession", package: "FieldKit"),
        .product(name: "FieldFakes", package: "FieldKit"),
      ],
      path: "Sources/FirstLook")
  ],
  swiftLanguageModes: [.v6]
)
