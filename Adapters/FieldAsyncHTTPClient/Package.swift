// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "FieldAsyncHTTPClient",
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  products: [
    .library(name: "FieldAsyncHTTPClient", targets: ["FieldAsyncHTTPClient"])
  ],
  dependencies: [
    .package(name: "FieldKit", path: "../.."),
    .package(url: "https://github.com/swift-server/async-http-client", from: "1.24.0"),
    .package(url: "https://github.com/apple/swift-nio", from: "2.80.0"),
  ],
  targets: [
    // The system's zlib, which async-http-client's own dependencies link, too.
    .systemLibrary(name: "CFieldZlib"),
    .target(
      name: "FieldAsyncHTTPClient",
      dependencies: [
        "CFieldZlib",
        .product(name: "FieldCore", package: "FieldKit"),
        .product(name: "AsyncHTTPClient", package: "async-http-client"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOHTTP1", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"),
      ]),
    .testTarget(
      name: "FieldAsyncHTTPClientTests",
      dependencies: [
        "FieldAsyncHTTPClient",
        .product(name: "AsyncHTTPClient", package: "async-http-client"),
        .product(name: "FieldCore", package: "FieldKit"),
        .product(name: "FieldFakes", package: "FieldKit"),
        .product(name: "FieldTesting", package: "FieldKit"),
        .product(name: "NIOCore", package: "swift-nio"),
      ]),
  ],
  swiftLanguageModes: [.v6]
)
