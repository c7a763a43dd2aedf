#!/usr/bin/env bash
# Builds Examples/Atlas, runs its tests, lets two processes share a database, and opens it in a browser. Its packages
# (hummingbird and what it needs) are the only ones that the project fetches, so where they can't be had, this says
# that it skipped. With --gate, it leaves out the browser, and says that it skipped if the packages aren't fetched and
# built within three minutes; what was built is kept for the next time.
set -euo pipefail
cd "$(dirname "$0")/../.."
limit=1200
[ "${1:-}" = --gate ] && limit=180
end=$((SECONDS + limit))
# A folder of its own, because SwiftPM removes fetched packages from one that other packages are built into.
options=(--package-path Examples/Atlas)
if ! timeout "$((limit < 120 ? limit : 120))" swift package "${options[@]}" resolve > /dev/null 2>&1; then
  echo "atlas: skipped, because its packages can't be resolved here"
  exit 0
fi
# With PostgreSQL's client library, the tests include a database, if shared-store.sh can start one.
if pkg-config --exists libpq 2> /dev/null; then options+=(--traits Database); fi
options+=(--explicit-target-dependency-import-check error)
code=0
timeout -s INT -k 20 "$((end - SECONDS))" swift build --build-tests "${options[@]}" || code=$?
if [ "$code" = 124 ] || [ "$code" = 137 ]; then
  echo "atlas: skipped, because it wasn't built within $limit s (run Scripts/Checks/atlas.sh without --gate)"
  exit 0
fi
[ "$code" = 0 ] || exit "$code"
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
