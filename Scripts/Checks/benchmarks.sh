#!/usr/bin/env bash
# Runs the quick form of the benchmarks, which fails if FieldKit and a baseline give different answers. No time is
# compared, so a debug build is enough. Where GRDB can't be had, this says that it skipped.
set -euo pipefail
cd "$(dirname "$0")/../.."
# The gate names a folder and flags that it has built the modules with already.
read -ra flags <<< "${DEBUG_FLAGS:--Xswiftc -warnings-as-errors --explicit-target-dependency-import-check error}"
package=(--package-path Benchmarks ${SCRATCH:+--scratch-path "$SCRATCH"})
if ! timeout 120 swift package "${package[@]}" resolve > /dev/null 2>&1; then
  echo "benchmarks: skipped, because GRDB can't be resolved here"
  exit 0
fi
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
swift build "${package[@]}" "${flags[@]}"
bin=$(swift build "${package[@]}" "${flags[@]}" --show-bin-path)
"$bin/Benchmarks" --quick --json "$folder/races" > "$folder/log" 2>&1 || { cat "$folder/log"; exit 1; }
echo "benchmarks: $(grep -c -e '"against"' -e '"work"' "$folder/races") races, and no answer differs from its baseline"
