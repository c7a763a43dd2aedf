#!/usr/bin/env bash
# Measures what FieldKit costs a package that depends on it: the CPU time of builds, and the size of a tool. It takes
# about six minutes of CPU time, and prints a table in Markdown. Linux only.
set -euo pipefail
cd "$(dirname "$0")/../.."
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
# A copy, whose files can be changed.
mkdir "$folder/FieldKit"
git ls-files -z Package.swift Sources Tests Snippets | tar -c --null -T - | tar -x -C "$folder/FieldKit"

# A package with a tool: tool NAME PRODUCT SOURCE; without a product, it depends on nothing.
tool() {
  local package='' product=''
  if [ -n "$2" ]; then
    package='.package(path: "../FieldKit")'
    product=".product(name: \"$2\", package: \"FieldKit\")"
  fi
  mkdir -p "$folder/$1/Sources/$1"
  printf '%s\n' "$3" > "$folder/$1/Sources/$1/main.swift"
  cat > "$folder/$1/Package.swift" <<MANIFEST
// swift-tools-version: 6.2
import PackageDescription
let package = Package(
  name: "$1",
  platforms: [.macOS(.v15)],
  dependencies: [$package],
  targets: [.executableTarget(name: "$1", dependencies: [$product])])
MANIFEST
}

# The CPU time of a build: seconds NAME
exec 3>&2
seconds() {
  local TIMEFORMAT='%U %S'
  { time swift build --package-path "$folder/$1" > "$folder/log" 2>&1 || { cat "$folder/log" >&3; exit 1; }; } 2>&1 |
    awk '{ printf "%.1f s\n", $1 + $2 }'
}

# The size of the static, stripped tool: size NAME
size() {
  local options=(--package-path "$folder/$1" -c release --static-swift-stdlib)
  swift build "${options[@]}" > "$folder/log" 2>&1 || { cat "$folder/log" >&2; exit 1; }
  strip -o "$folder/stripped" "$(swift build "${options[@]}" --show-bin-path)/$1"
  awk -v bytes="$(wc -c < "$folder/stripped")" 'BEGIN { printf "%.1f MB\n", bytes / 1e6 }'
}

# Adds a function to a file of the copy.
change() { echo "private func changed() {}" >> "$folder/FieldKit/Sources/$1"; }

tool OneKit MeteorKit 'import MeteorKit
let rows = try Batch<Meteorite>(reading: Array("[]".utf8))
let store = InMemoryStore<Meteorite>(rows.records)
print(try await store.snapshot().count)'
tool AllKits FieldKit 'import FieldKit
print(Field.self)'
tool Empty "" 'print("empty")'

# A line of the table: line TITLE FUNCTION ARGUMENT
line() {
  local result
  result=$("$2" "$3")
  echo "| $1 | $result |"
}

echo "| cost to a package | |"
echo "|---|---|"
line "clean debug build with MeteorKit, CPU time" seconds OneKit
line "clean debug build with all kits, CPU time" seconds AllKits
line "debug build without a change, CPU time" seconds OneKit
change MeteorKit/MeteoriteView.swift
line "debug build after a change in MeteorKit, CPU time" seconds OneKit
change FieldCore/Stores/FileStore.swift
line "debug build after a change in FieldCore, CPU time" seconds OneKit
line "static, stripped tool with MeteorKit" size OneKit
line "static, stripped tool without a dependency" size Empty
