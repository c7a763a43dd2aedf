#!/usr/bin/env bash
# The package builds and tests without its trait SQLite, which is what everything else checks, and with
# it. The default build must not need SQLite: neither its header nor its library.
set -euo pipefail
cd "$(dirname "$0")/../.."

# What it lists counts, not how it exits: versions of grep differ in that for -L.
bare=$(grep -rlE '^[[:space:]]*(@[a-zA-Z_]+ )*(internal |private |package |public )?import (CFieldSQLite|SQLite3)' \
  Sources Tests --include '*.swift' | xargs -r grep -L '^#if SQLite' || true)
if [ -n "$bare" ]; then
  echo "$bare"
  echo "traits: these import SQLite without asking for the trait"
  exit 1
fi

# A folder of its own, since another trait is another build of everything.
scratch=.build/traits
log=$(mktemp)
trap 'rm -f "$log"' EXIT
swift build --scratch-path "$scratch" --traits SQLite --product FieldKitPackageTests -Xswiftc -warnings-as-errors
swift test --scratch-path "$scratch" --traits SQLite --skip-build -Xswiftc -warnings-as-errors \
  --disable-xctest --filter 'CivicKitTests\.' 2>&1 | tee "$log"
grep -q 'Suite "The old app.s database" passed' "$log" ||
  { echo "traits: the tests of the import have not run"; exit 1; }
if command -v readelf >/dev/null && [ "$(uname)" = Linux ]; then
  bundle="$scratch/debug/FieldKitPackageTests.xctest"
  readelf -d "$bundle" | grep -q libsqlite3 ||
    { echo "traits: with the trait nothing links SQLite: is the condition right?"; exit 1; }
  plain=.build/debug/FieldKitPackageTests.xctest
  if [ -e "$plain" ] && readelf -d "$plain" | grep -q libsqlite3; then
    echo "traits: the default build links SQLite"
    exit 1
  fi
fi
echo "traits: the package builds and tests with and without SQLite"
