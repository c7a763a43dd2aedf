#!/usr/bin/env bash
# Runs the tests of a store, a journal, and blobs on a disk that is really full: a file system of 1 MiB in memory, mounted in a mount namespace of
# its own. Skipped without the right to mount.
#
#   Scripts/Checks/full-disk.sh [BINARY]
#
# BINARY are tests that have been built; the debug build's are used if none are named.
. "$(dirname "$0")/test-binary.sh"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
if ! unshare -m mount -t tmpfs -o size=1m none "$folder" 2> /dev/null; then
  echo "full-disk.sh: skipped, because mounting needs Linux and root"
  exit
fi
find_binary "${1:-}"
export FIELDKIT_SMALL_DISK=$folder
# The counted line proves that the test wasn't skipped.
# shellcheck disable=SC2016
unshare -m bash -c 'mount -t tmpfs -o size=1m none "$FIELDKIT_SMALL_DISK" && exec "$0" --testing-library swift-testing \
  --filter FullDiskTests' "$binary" 2>&1 | tee "$folder.log" | tail -20
grep -q 'Test run with 3 tests .*passed' "$folder.log"
! grep -q 'skipped: ' "$folder.log"
rm -f "$folder.log"
