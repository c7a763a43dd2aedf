// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "Benchmarks",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(name: "FieldKit", path: ".."),
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.0.0"),
  ],
  targets: [
    .executableTarget(
      name: "Benchmarks",
      dependencies: [
        .product(name: "FieldKit", package: "FieldKit"),
        .product(name: "MeteorKit", package: "FieldKit"),
        .product(name: "MetroKit", package: "FieldKit"),
        .product(name: "CivicKit", package: "FieldKit"),
        .product(name: "WalkKit", package: "FieldKit"),
        .product(name: "FieldXML", package: "FieldKit"),
        .product(name: "FieldFakes", package: "FieldKit"),
        .product(name: "GRDB", package: "GRDB.swift"),
      ])
  ]
)
