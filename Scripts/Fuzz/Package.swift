// swift-tools-version: 6.2
import PackageDescription

func fieldKit(_ product: String) -> Target.Dependency {
  .product(name: product, package: "FieldKit")
}

let package = Package(
  name: "Fuzz",
  platforms: [.macOS(.v15)],
  // With the trait that the gate's release build has, so that each module is compiled once.
  dependencies: [.package(name: "FieldKit", path: "../..", traits: ["SQLite"])],
  targets: [
    .systemLibrary(name: "CLibFuzzer"),
    .executableTarget(
      name: "Fuzz",
      dependencies: [
        "CLibFuzzer", fieldKit("FieldCore"), fieldKit("FieldPortals"), fieldKit("FieldXML"),
        fieldKit("FieldFirestore"), fieldKit("FieldFakes"), fieldKit("FieldTransit"),
        fieldKit("WalkKit"), fieldKit("WalkFirestore"),
      ],
      swiftSettings: [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
      ]),
  ],
  swiftLanguageModes: [.v6]
)
