#!/usr/bin/env bash
# The long form of the sync engine's tests: S19 over many seeds, and S52 over a million rows. It takes
# some minutes. CI runs both in a short form with the other tests.
#
#   Scripts/Checks/soak-sync.sh [SEEDS [ROWS]]
set -euo pipefail
cd "$(dirname "$0")/../.."
seeds=${1:-500}
rows=${2:-1000000}
flags=(-c release -Xswiftc -enable-testing --disable-xctest)
swift build -c release -Xswiftc -enable-testing --build-tests
for count in 100000 "$rows"; do
  FIELDKIT_ROWS=$count swift test --skip-build "${flags[@]}" --filter SyncMemoryTests 2>&1 |
    grep -E 'S52|Test run'
done
FIELDKIT_LONG=1 FIELDKIT_SEEDS=$seeds swift test --skip-build "${flags[@]}" --filter 'SyncEngineStopTests|SODAStopTests' 2>&1 |
  grep -E 'S19|Test run'
