#!/usr/bin/env bash
# Builds each package in Adapters and runs its tests. Where its packages can't be had, this says that it skipped.
set -euo pipefail
cd "$(dirname "$0")/../.."
for adapter in Adapters/*/; do
  name=$(basename "$adapter")
  # The folder of atlas.sh, with most of their packages.
  options=(--package-path "$adapter" --scratch-path .build/packages)
  if ! timeout 120 swift package "${options[@]}" resolve > /dev/null 2>&1; then
    echo "adapters: skipped $name, because its packages can't be resolved here"
    continue
  fi
  swift build --build-tests "${options[@]}" --explicit-target-dependency-import-check error
  bin=$(swift build "${options[@]}" --show-bin-path)
  "$bin/${name}PackageTests.xctest" --testing-library swift-testing
  if [ "$name" = FieldGRDB ]; then
    echo "adapters: $(Scripts/Checks/grdb-kill.py "$bin/SyncTool" 5 20000)"
  fi
done
