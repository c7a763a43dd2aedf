#!/bin/sh
# Builds one of the packages in this folder for release, and runs its tool.
#
#   Scripts/run-tool.sh NAME [ARGUMENT...]
#
# The gate names a folder and flags that it has built the modules with already.
set -eu
name=$1
shift
cd "$(dirname "$0")/$name"
build() { swift build ${SCRATCH:+--scratch-path "$SCRATCH"} ${RELEASE_FLAGS:--c release} "$1"; }
build --quiet
exec "$(build --show-bin-path)/$name" "$@"
