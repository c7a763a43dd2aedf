// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "DayOut",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "FieldKit", path: "../..")],
  targets: [
    .executableTarget(
      name: "day-out",
      dependencies: [
        .product(name: "FieldKit", package: "FieldKit"),
        .product(name: "FieldTransit", package: "FieldKit"),
        .product(name: "FieldFakes", package: "FieldKit"),
        .product(name: "FirestoreFakes", package: "FieldKit"),
        .product(name: "WalkFirestore", package: "FieldKit"),
      ],
      path: "Sources/DayOut",
      resources: [
        .embedInCode("Data/meteorites.json"), .embedInCode("Data/meteorites-next.csv"),
        .embedInCode("Data/zoo-animals.json"), .embedInCode("Data/zoo-areas.json"),
        .embedInCode("Data/metro-timetable.json"),
      ]
    )
  ]
)
