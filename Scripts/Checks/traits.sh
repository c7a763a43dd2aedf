#!/usr/bin/env bash
# The default build needs no SQLite, neither its header nor its library, and with the trait SQLite the old app's database is
# imported. This looks at the two builds of the gate, which has run all tests of both: debug without the trait, release
# with it.
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

plain=.build/debug/FieldKitPackageTests.xctest
with_trait=.build/release/FieldKitPackageTests.xctest
for tests in "$plain" "$with_trait"; do
  [ -e "$tests" ] || { echo "traits: $tests hasn't been built"; exit 1; }
done
log=$(mktemp)
trap 'rm -f "$log"' EXIT
"$with_trait" --testing-library swift-testing --filter 'CivicKitTests\.' > "$log" 2>&1 || { tail -200 "$log"; exit 1; }
grep -q 'Suite "The old app.s database" passed' "$log" || { echo "traits: the tests of the import have not run"; exit 1; }
if command -v readelf > /dev/null && [ "$(uname)" = Linux ]; then
  readelf -d "$with_trait" | grep -q libsqlite3 ||
    { echo "traits: with the trait nothing links SQLite: is the condition right?"; exit 1; }
  ! readelf -d "$plain" | grep -q libsqlite3 || { echo "traits: the default build links SQLite"; exit 1; }
fi
echo "traits: the package builds and tests with and without SQLite"
