#!/usr/bin/env bash
# Tries every case of the long tests in release, of which `.ci/run` and `swift test` try samples.
# It takes about half an hour after the build, most of it for `BoundedDepthTests`. An argument is a filter for `swift test`.
set -euo pipefail
cd "$(dirname "$0")/../.."
flags=(-c release -Xswiftc -enable-testing -Xswiftc -warnings-as-errors --explicit-target-dependency-import-check error)
swift build --build-tests "${flags[@]}"
FIELDKIT_LONG=1 swift test --skip-build --disable-xctest "${flags[@]}" ${1:+--filter "$1"}
