#!/usr/bin/env bash
# No public type of FieldKit clashes in a file that also imports what users commonly import. Compiles a file
# that imports every product of FieldKit beside the packages below and names every public type: a name that two
# modules export is ambiguous. Run by hand, because a compiler can check the names only against built modules:
# the first run builds SwiftNIO, BoringSSL, GRDB, and Hummingbird, which takes about ten minutes on two cores;
# later ones take seconds, because the build is kept in CLASHES_SCRATCH. The probe itself is a library of type
# aliases, so nothing is linked. Skipped where the packages can't be resolved.
set -euo pipefail
cd "$(dirname "$0")/../.."
scratch=${CLASHES_SCRATCH:-$PWD/.build/clashes}
folder=$scratch/probe
options=(--package-path "$folder" --scratch-path "$scratch")

# Each line: the package's URL, its versions, and the modules to import.
packages='
apple/swift-http-types from:"1.0.0" HTTPTypes
apple/swift-nio from:"2.0.0" NIOCore NIOPosix NIOHTTP1
apple/swift-log from:"1.0.0" Logging
apple/swift-metrics from:"2.0.0" Metrics
apple/swift-distributed-tracing from:"1.0.0" Tracing
apple/swift-crypto "3.0.0"..<"5.0.0" Crypto
apple/swift-collections from:"1.0.0" Collections
apple/swift-algorithms from:"1.0.0" Algorithms
apple/swift-async-algorithms from:"1.0.0" AsyncAlgorithms
swift-server/async-http-client from:"1.0.0" AsyncHTTPClient
swift-server/swift-service-lifecycle from:"2.0.0" ServiceLifecycle
groue/GRDB.swift from:"7.0.0" GRDB
hummingbird-project/hummingbird from:"2.0.0" Hummingbird
'
products=$(grep -oE 'library\(name: "[A-Za-z]+' Package.swift | cut -d'"' -f2)

mkdir -p "$folder/Sources/Clashes"
{
  echo '// swift-tools-version: 6.2'
  echo 'import PackageDescription'
  echo 'let package = Package('
  echo '  name: "Clashes", platforms: [.macOS(.v15)],'
  echo "  dependencies: [.package(name: \"FieldKit\", path: \"$PWD\"),"
  while read -r path versions _; do
    [ -z "$path" ] || echo "    .package(url: \"https://github.com/$path\", ${versions/:/: }),"
  done <<< "$packages"
  echo '  ],'
  echo '  targets: [.target(name: "Clashes", dependencies: ['
  for product in $products; do echo "    .product(name: \"$product\", package: \"FieldKit\"),"; done
  while read -r path _ modules; do
    for module in $modules; do echo "    .product(name: \"$module\", package: \"${path#*/}\"),"; done
  done <<< "$packages"
  echo '  ])])'
} > "$folder/Package.swift"
{
  echo "import Foundation"
  printf 'import %s\n' $products
  while read -r _ _ modules; do [ -z "$modules" ] || printf 'import %s\n' $modules; done <<< "$packages"
  for product in $products; do
    # An attribute, such as @frozen, may come first; types in an extension are indented.
    grep -rhoE '^(@[a-zA-Z_]+(\([^)]*\))? )*public (final |indirect |nonisolated )*(class|struct|enum|protocol|actor|typealias) [A-Za-z0-9_]+' \
      "Sources/$product" --include '*.swift' --exclude-dir '*.docc' || true
  done | awk '{ print "typealias Clash_" $NF " = " $NF }' | sort -u
} > "$folder/Sources/Clashes/Clashes.swift"
count=$(grep -c '^typealias' "$folder/Sources/Clashes/Clashes.swift")
[ "$count" -gt 400 ] || { echo "clashes: only $count public types were found"; exit 1; }

if ! swift package "${options[@]}" resolve > "$folder/log" 2>&1; then
  tail -3 "$folder/log"
  echo "clashes: skipped, the packages can't be resolved here"
  exit 0
fi
if ! swift build "${options[@]}" --target Clashes > "$folder/log" 2>&1; then
  if grep -E "error: '?[A-Za-z0-9_]+'? is ambiguous" "$folder/log" | sort -u; then
    echo "clashes: the names above clash"
  else
    grep -A 3 'error' "$folder/log" | tail -40
    echo "clashes: nothing was checked, because the packages don't build"
  fi
  exit 1
fi
echo "clashes: $count public types, none clashes"
