#!/usr/bin/env bash
# Builds Examples/Atlas, runs its tests, and opens it in a browser. Its packages (hummingbird and what it needs) are
# the only ones that the project fetches, so where they can't be had, this says that it skipped.
set -euo pipefail
cd "$(dirname "$0")/../.."
if ! timeout 120 swift package --package-path Examples/Atlas resolve > /dev/null 2>&1; then
  echo "atlas: skipped, because its packages can't be resolved here"
  exit 0
fi
swift build --build-tests --package-path Examples/Atlas --explicit-target-dependency-import-check error
bin=$(swift build --package-path Examples/Atlas --show-bin-path)
"$bin/AtlasPackageTests.xctest" --testing-library swift-testing
Scripts/Checks/atlas-browser.sh "$bin/atlas"
