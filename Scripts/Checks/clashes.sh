#!/usr/bin/env bash
# No public type of FieldKit clashes in a file that also imports what users commonly import. Compiles a file
# that names every public type beside swift-http-types, SwiftNIO, AsyncHTTPClient, GRDB, and Hummingbird, where
# those packages can be resolved. Run by hand: the packages take minutes to build.
set -euo pipefail
cd "$(dirname "$0")/../.."
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
modules="FieldCore FieldPortals FieldXML FieldFirestore FieldURLSession ZooKit MetroKit MeteorKit WalkKit WalkFirestore CivicKit FieldKit"

mkdir -p "$scratch/Sources/Clashes"
cat > "$scratch/Package.swift" <<MANIFEST
// swift-tools-version: 6.2
import PackageDescription
let package = Package(
  name: "Clashes",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(name: "FieldKit", path: "$PWD"),
    .package(url: "https://github.com/apple/swift-http-types", from: "1.0.0"),
    .package(url: "https://github.com/apple/swift-nio", from: "2.0.0"),
    .package(url: "https://github.com/swift-server/async-http-client", from: "1.0.0"),
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.0.0"),
    .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.0.0"),
  ],
  targets: [
    .executableTarget(
      name: "Clashes",
      dependencies: [
        .product(name: "FieldKit", package: "FieldKit"),
        .product(name: "HTTPTypes", package: "swift-http-types"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOHTTP1", package: "swift-nio"),
        .product(name: "AsyncHTTPClient", package: "async-http-client"),
        .product(name: "GRDB", package: "GRDB.swift"),
        .product(name: "Hummingbird", package: "hummingbird"),
      ])
  ])
MANIFEST
{
  printf 'import %s\n' AsyncHTTPClient FieldKit Foundation GRDB HTTPTypes Hummingbird NIOCore NIOHTTP1
  for module in $modules; do
    [ -d "Sources/$module" ] || continue
    grep -rhoE '^public (final class|struct|enum|protocol|actor) [A-Za-z]+' "Sources/$module" --include '*.swift' |
      awk '{print "typealias Clash_" $NF " = " $NF}'
  done | sort -u
} > "$scratch/Sources/Clashes/main.swift"
count=$(grep -c '^typealias' "$scratch/Sources/Clashes/main.swift")

if ! swift package --package-path "$scratch" resolve > "$scratch/resolve.txt" 2>&1; then
  echo "clashes: skipped, the packages can't be resolved here"
  exit 0
fi
swift build --package-path "$scratch" --scratch-path "${CLASHES_SCRATCH:-$scratch/.build}" 2>&1 |
  grep -E 'error:|Compiling|Build' | tail -20
[ "${PIPESTATUS[0]}" = 0 ] || { echo "clashes: the names above clash"; exit 1; }
echo "clashes: $count public types, none clashes"
