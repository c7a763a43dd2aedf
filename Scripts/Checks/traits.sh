#!/usr/bin/env bash
# The default build must not need SQLite: neither its header nor its library. With the trait SQLite, the old app's database is
# imported. The gate's debug build is without the trait, its release build with it, and run the tests before this looks at
# what they link.
#
#   Scripts/Checks/traits.sh PLAIN-TESTS TRAIT-TESTS     the two test products
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

log=$(mktemp)
trap 'rm -f "$log"' EXIT
"$2" --testing-library swift-testing --filter 'CivicKitTests\.' > "$log" 2>&1 || { tail -200 "$log"; exit 1; }
grep -q 'Suite "The old app.s database" passed' "$log" || { echo "traits: the tests of the import have not run"; exit 1; }
if command -v readelf > /dev/null && [ "$(uname)" = Linux ]; then
  readelf -d "$2" | grep -q libsqlite3 ||
    { echo "traits: with the trait nothing links SQLite: is the condition right?"; exit 1; }
  ! readelf -d "$1" | grep -q libsqlite3 || { echo "traits: the default build links SQLite"; exit 1; }
fi
echo "traits: the package builds and tests with and without SQLite"
