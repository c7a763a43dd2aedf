#!/bin/sh
# Compares the routes between all 118 × 118 pairs of Taipei's stations, under both preferences and three
# sets of options, with those of an independent search over TDX's own answers
# (Scripts/Checks/metro_reference.py). It takes a minute, and needs python3 and the facts in ../shared.
# `swift test` compares a sample.
set -eu
cd "$(dirname "$0")/../.."
log=$(mktemp)
trap 'rm -f "$log"' EXIT
FIELDKIT_ALL_ROUTES=1 swift test --disable-xctest --filter 'RouteTests/allPairs' >"$log" 2>&1 ||
  { grep -E '✘|error:' "$log" | head -40; exit 1; }
grep '27848 routes compared' "$log"
[ "$(grep -c '27848 routes compared' "$log")" = 3 ]
