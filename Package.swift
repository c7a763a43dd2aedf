// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "FieldKit",
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  products: [
    .library(name: "FieldKit", targets: ["FieldKit"]),
    .library(name: "ZooKit", targets: ["ZooKit"]),
    .library(name: "MetroKit", targets: ["MetroKit"]),
    .library(name: "MeteorKit", targets: ["MeteorKit"]),
    .library(name: "WalkKit", targets: ["WalkKit"]),
    .library(name: "CivicKit", targets: ["CivicKit"]),
    .library(name: "FieldCore", targets: ["FieldCore"]),
    .library(name: "FieldPortals", targets: ["FieldPortals"]),
    .library(name: "FieldXML", targets: ["FieldXML"]),
    .library(name: "FieldTransit", targets: ["FieldTransit"]),
    .library(name: "FieldFirestore", targets: ["FieldFirestore"]),
    .library(name: "WalkFirestore", targets: ["WalkFirestore"]),
    .library(name: "FieldURLSession", targets: ["FieldURLSession"]),
    .library(name: "FieldFakes", targets: ["FieldFakes"]),
    .library(name: "FirestoreFakes", targets: ["FirestoreFakes"]),
    .library(name: "FieldTesting", targets: ["FieldTesting"]),
  ],
  traits: [
    // The Swift Package Index documents everything, and can't pass traits otherwise.
    .default(
      enabledTraits: Context.environment["SPI_GENERATE_DOCS"] == nil ? [] : ["SQLite"]),
    .trait(
      name: "SQLite",
      description: "Lets CivicKit take over the old app's database, with the system's SQLite."),
  ],
  targets: [
    .target(name: "FieldFoundation"),
    .target(name: "FieldLibc"),
    // All modules that use a required reason API do so through FieldCore.
    .target(name: "FieldPrivacy", resources: [.copy("PrivacyInfo.xcprivacy")]),
    .target(
      name: "FieldCore",
      dependencies: [
        "FieldFoundation", "FieldLibc",
        .target(
          name: "FieldPrivacy",
          condition: .when(
            platforms: [.macOS, .macCatalyst, .iOS, .tvOS, .watchOS, .visionOS])),
      ]),
    .target(name: "FieldPortals", dependencies: ["FieldCore", "FieldFoundation"]),
    .target(name: "FieldXML", dependencies: ["FieldCore", "FieldFoundation"]),
    .target(name: "FieldTransit", dependencies: ["FieldCore", "FieldFoundation"]),
    .target(name: "FieldFirestore", dependencies: ["FieldCore", "FieldFoundation"]),
    .target(name: "ZooKit", dependencies: ["FieldPortals", "FieldCore", "FieldFoundation"]),
    .target(
      name: "MetroKit",
      dependencies: ["FieldTransit", "FieldPortals", "FieldCore", "FieldFoundation"]),
    .target(name: "MeteorKit", dependencies: ["FieldPortals", "FieldCore", "FieldFoundation"]),
    .target(name: "WalkKit", dependencies: ["FieldCore", "FieldFoundation"]),
    .target(
      name: "CivicKit",
      dependencies: [
        "FieldCore", "FieldFoundation", "FieldXML",
        .target(
          name: "CFieldSQLite", condition: .when(platforms: [.linux], traits: ["SQLite"])),
      ]),
    .systemLibrary(name: "CFieldSQLite"),
    .target(
      name: "WalkFirestore",
      dependencies: ["WalkKit", "FieldFirestore", "FieldCore", "FieldFoundation"]),
    .target(name: "FieldURLSession", dependencies: ["FieldCore"]),
    .target(
      name: "FieldKit",
      dependencies: [
        "FieldCore", "FieldFoundation", "FieldPortals", "FieldXML", "ZooKit", "MetroKit",
        "MeteorKit", "WalkKit", "CivicKit", "FieldURLSession",
      ]),
    // No test compiles a kit, or Firestore, that it doesn't use: Scripts/Checks/layers.py.
    .target(name: "FieldFakes", dependencies: ["FieldCore", "FieldFoundation", "FieldLibc"]),
    .target(name: "FieldTesting", dependencies: ["FieldCore", "FieldFakes", "FieldFoundation"]),
    .target(
      name: "FirestoreFakes",
      dependencies: ["FieldFakes", "FieldFirestore", "FieldCore", "FieldFoundation"]),

    .target(
      name: "TestSupport",
      dependencies: ["FieldCore", "FieldFakes", "FieldPortals", "FieldTesting"],
      path: "Tests/TestSupport"),
    .target(
      name: "WalkTestSupport",
      dependencies: ["WalkKit", "FieldTesting", "FieldCore"],
      path: "Tests/WalkTestSupport"),
    .testTarget(
      name: "FieldCoreTests",
      dependencies: [
        "FieldCore", "FieldFakes", "FieldLibc", "FieldPortals", "FieldTesting", "TestSupport",
      ]),
    .testTarget(
      name: "FieldPortalsTests",
      dependencies: ["FieldPortals", "FieldCore", "FieldFakes", "FieldTesting", "TestSupport"]),
    .testTarget(
      name: "FieldFirestoreTests",
      dependencies: [
        "FieldFirestore", "FirestoreFakes", "FieldCore", "FieldFakes", "FieldTesting",
        "FieldURLSession", "TestSupport",
      ]),
    .testTarget(
      name: "FieldXMLTests", dependencies: ["FieldXML", "FieldCore", "TestSupport"]),
    .testTarget(
      name: "FieldTransitTests",
      dependencies: [
        "FieldTransit", "FieldCore", "FieldFakes", "FieldTesting", "TestSupport",
      ]),
    .testTarget(
      name: "ZooKitTests",
      dependencies: [
        "ZooKit", "FieldCore", "FieldFakes", "FieldTesting", "FieldURLSession", "TestSupport",
      ]),
    .testTarget(
      name: "WalkKitTests",
      dependencies: [
        "WalkKit", "WalkTestSupport", "FieldXML", "FieldCore", "FieldFakes", "FieldTesting",
        "TestSupport",
      ]),
    .testTarget(
      name: "WalkFirestoreTests",
      dependencies: [
        "WalkFirestore", "WalkKit", "WalkTestSupport", "FieldFirestore", "FirestoreFakes",
        "FieldCore", "FieldFakes", "FieldTesting", "FieldURLSession", "TestSupport",
      ]),
    .testTarget(
      name: "CivicKitTests",
      dependencies: [
        "CivicKit", "FieldXML", "FieldCore", "FieldFakes", "FieldTesting", "FieldURLSession",
        "TestSupport",
      ]),
    .testTarget(
      name: "MetroKitTests",
      dependencies: [
        "MetroKit", "FieldTransit", "FieldCore", "FieldFakes", "FieldTesting", "TestSupport",
      ]),
    .testTarget(
      name: "MeteorKitTests",
      dependencies: ["MeteorKit", "FieldCore", "FieldFakes", "FieldTesting", "TestSupport"]),
    .testTarget(
      name: "FieldURLSessionTests",
      dependencies: ["FieldCore", "FieldFakes", "FieldTesting", "FieldURLSession", "TestSupport"]),
    .testTarget(
      name: "FieldFakesTests",
      dependencies: ["FieldCore", "FieldFakes", "FieldLibc", "TestSupport"]),
    .testTarget(
      name: "FieldTestingTests",
      dependencies: ["FieldCore", "FieldFakes", "FieldTesting", "TestSupport"]),
    .testTarget(
      name: "FieldKitTests",
      dependencies: [
        "FieldKit", "FieldCore", "FieldFirestore", "FieldTransit", "WalkFirestore", "FieldFakes",
        "FieldTesting", "FirestoreFakes", "TestSupport",
      ]),
  ],
  swiftLanguageModes: [.v6]
)

// Release tests check the optimized library. Optimizing the tests themselves takes longer than running them, so the gate
// doesn't. No other package sees these flags.
if Context.environment["FIELDKIT_PLAIN_TESTS"] != nil {
  for target in package.targets where target.type == .test {
    target.swiftSettings = [.unsafeFlags(["-Onone"], .when(configuration: .release))]
  }
}

/// The same language settings for every target: each upcoming feature names its proposal, so that a
/// reader can look up what it changes.
for target in package.targets where target.type != .plugin && target.type != .system {
  target.swiftSettings =
    (target.swiftSettings ?? []) + [
      .enableUpcomingFeature("ExistentialAny"),  // SE-0335
      .enableUpcomingFeature("InternalImportsByDefault"),  // SE-0409
      .enableUpcomingFeature("MemberImportVisibility"),  // SE-0444
      .enableUpcomingFeature("InferIsolatedConformances"),  // SE-0470
      .enableUpcomingFeature("NonisolatedNonsendingByDefault"),  // SE-0461
      .enableUpcomingFeature("ImmutableWeakCaptures"),  // SE-0481
      .strictMemorySafety(),  // SE-0458
    ]
}
