#!/bin/sh
# Builds a tool of Scripts/Tools for release and runs it.
#
#   Scripts/Checks/run-tool.sh NAME [ARGUMENT...]
#
# The gate names a folder and flags that it has built the modules with already.
set -eu
name=$1
shift
cd "$(dirname "$0")/../Tools"
build() { swift build ${SCRATCH:+--scratch-path "$SCRATCH"} ${RELEASE_FLAGS:--c release} "$@"; }
build --quiet --product "$name"
exec "$(build --show-bin-path)/$name" "$@"
