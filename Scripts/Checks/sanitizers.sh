#!/usr/bin/env bash
# Runs the tests under a sanitizer, in a build of its own: `thread` in debug, `address` in release, where the optimizer
# shortens the lives of objects. The first argument names one of them, without it both run; the second is a filter for
# `swift test`. Each takes about half an hour on two cores. The short form is `sanitizers.sh thread races`: the tests that use
# the public interface from many tasks, while others close, erase, suspend, and cancel.
set -euo pipefail
cd "$(dirname "$0")/../.."
filter=${2:-}
if [[ $filter == races ]]; then filter='RacingTests|StorageSoakTests|RecorderTurmoilTests|OutboxModelTests|LinuxDefectTests'; fi
for sanitizer in ${1:-thread address}; do
  flags=(--scratch-path ".build/sanitizers/$sanitizer" --sanitize "$sanitizer" -Xswiftc -warnings-as-errors
    --explicit-target-dependency-import-check error)
  [[ $sanitizer == thread ]] || flags+=(-c release -Xswiftc -enable-testing)
  swift build --build-tests "${flags[@]}"
  # A sanitizer needs more memory than that test allows. Leaks aren't looked for: Swift keeps the case of an enumeration in
  # unused bits of a pointer, which hides what is in use, and some tests leave tasks that never end.
  ASAN_OPTIONS=detect_leaks=0 swift test --skip-build --disable-xctest "${flags[@]}" --skip 'HostileTests/bomb' ${filter:+--filter "$filter"}
done
