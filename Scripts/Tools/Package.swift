// swift-tools-version: 6.2
import PackageDescription

func fieldKit(_ product: String) -> Target.Dependency {
  .product(name: product, package: "FieldKit")
}

let settings: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
  name: "Tools",
  platforms: [.macOS(.v15)],
  // With the trait that the gate's release build has, so that each module is compiled once.
  dependencies: [.package(name: "FieldKit", path: "../..", traits: ["SQLite"])],
  targets: [
    .target(name: "KillSupport", swiftSettings: settings),
    .executableTarget(
      name: "KillWriter", dependencies: ["KillSupport", fieldKit("FieldCore")],
      swiftSettings: settings),
    .executableTarget(
      name: "KillRecorder", dependencies: ["KillSupport", fieldKit("WalkKit")],
      swiftSettings: settings),
    .executableTarget(
      name: "KillUpdater", dependencies: ["KillSupport", fieldKit("FieldTransit")],
      swiftSettings: settings),
    .executableTarget(
      name: "KillPortal",
      dependencies: [
        "KillSupport", fieldKit("FieldCore"), fieldKit("FieldPortals"), fieldKit("FieldURLSession"),
        fieldKit("FieldFakes"),
      ],
      swiftSettings: settings),
    .systemLibrary(name: "CCallgrind"),
    .executableTarget(
      name: "Growth",
      dependencies: [
        "CCallgrind", fieldKit("FieldKit"), fieldKit("FieldFirestore"), fieldKit("FieldXML"),
        fieldKit("FieldPortals"), fieldKit("FieldCore"), fieldKit("WalkFirestore"),
        fieldKit("FieldTransit"),
      ],
      swiftSettings: settings),
    .executableTarget(
      name: "Journeys", dependencies: [fieldKit("FieldTransit")], swiftSettings: settings),
    .executableTarget(
      name: "Suites", dependencies: [fieldKit("FieldKit"), fieldKit("FieldXML")],
      swiftSettings: settings),
  ],
  swiftLanguageModes: [.v6]
)
