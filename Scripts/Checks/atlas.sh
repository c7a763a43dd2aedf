#!/usr/bin/env bash
# Builds Examples/Atlas, runs its tests, lets two processes share a database, and opens it in a browser. Its packages
# (hummingbird and what it needs) are fetched, so where they can't be had, this says that it skipped. The first build
# takes minutes. With --gate, this leaves out the browser.
set -euo pipefail
cd "$(dirname "$0")/../.."
# A folder that Atlas and the adapters share, for most of their packages are the same. It isn't the gate's, because SwiftPM
# removes fetched packages from a folder when it builds one that doesn't need them.
options=(--package-path Examples/Atlas --scratch-path .build/packages)
if ! timeout 120 swift package "${options[@]}" resolve > /dev/null 2>&1; then
  echo "atlas: skipped, because its packages can't be resolved here"
  exit 0
fi
# With PostgreSQL's client library, the tests include a database, if shared-store.sh can start one.
if pkg-config --exists libpq 2> /dev/null; then options+=(--traits Database); fi
options+=(--explicit-target-dependency-import-check error)
swift build --build-tests "${options[@]}"
bin=$(swift build "${options[@]}" --show-bin-path)
tests=("$bin/AtlasPackageTests.xctest" --testing-library swift-testing)
if [[ " ${options[*]} " = *" Database "* ]] && [ -n "$(ls -d /usr/lib/postgresql/*/bin 2> /dev/null)" ]; then
  Scripts/Checks/shared-store.sh "${tests[@]}"
  Scripts/Checks/shared-store.sh Scripts/Checks/atlas-pair.sh "$bin/atlas"
else
  echo "atlas: without a database, because PostgreSQL isn't installed here"
  "${tests[@]}"
fi
[ "${1:-}" = --gate ] || Scripts/Checks/atlas-browser.sh "$bin/atlas"
