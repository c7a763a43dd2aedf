#!/usr/bin/env bash
# FieldCore, FieldPortals, FieldXML, FieldTransit, FieldFirestore, and the kits need FoundationEssentials only: a program that uses them must
# not link full Foundation (and with it ICU), FoundationNetworking or FoundationXML. Linux only: it reads ELF files.
set -euo pipefail
cd "$(dirname "$0")/../.."
[ "$(uname)" = Linux ] || { echo "linkage: skipped, this is no Linux"; exit 0; }

light="FieldCore FieldPortals FieldXML FieldTransit FieldFirestore ZooKit MetroKit MeteorKit WalkKit WalkFirestore CivicKit"
build=${SCRATCH:-.build/linkage}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
for module in $light; do
  mkdir -p "$scratch/$module/Sources/Probe"
  cat > "$scratch/$module/Package.swift" <<MANIFEST
// swift-tools-version: 6.2
import PackageDescription
let package = Package(
  name: "Probe",
  dependencies: [.package(name: "FieldKit", path: "$PWD")],
  targets: [
    .executableTarget(
      name: "Probe", dependencies: [.product(name: "$module", package: "FieldKit")])
  ])
MANIFEST
  printf 'import %s\nprint(SystemClock().uptime)\n' "$module" > "$scratch/$module/Sources/Probe/main.swift"
  # The gate names a folder and flags that it has built the modules with already.
  swift build --package-path "$scratch/$module" --scratch-path "$build" ${DEBUG_FLAGS:-} 2>&1 | tail -1
  linked=$(readelf -d "$build/debug/Probe" | sed -n 's/.*NEEDED.*\[\(.*\)\]/\1/p')
  for heavy in libFoundation.so libFoundationNetworking.so libFoundationXML.so lib_FoundationICU.so; do
    if grep -qx "$heavy" <<< "$linked"; then
      echo "linkage: $module links $heavy"
      exit 1
    fi
  done
  grep -q FoundationEssentials <<< "$linked" || { echo "linkage: $module links no Foundation at all: is the probe right?"; exit 1; }
  echo "linkage: $module links FoundationEssentials only"
done
