#!/usr/bin/env bash
# All modules compile for macOS, iOS, and watchOS, and what can for Linux with musl and for WASI, up to the diagnostics
# that the compiler makes on its intermediate language; nothing is generated or linked. Skipped where PyPI's wheel
# `ziglang` can't be had, or for a toolchain other than 6.3 for Linux.
#
#   Scripts/Checks/apple.sh              macOS, watchOS, iOS, musl, and WASI; then defects are planted, which must be found
#   Scripts/Checks/apple.sh tvOS         one platform: one of those, or tvOS
#
# The SDKs aren't here. Their stand-ins:
#
# - The standard library, _Concurrency, _StringProcessing, Synchronization, Observation, and Testing are built from the
#   textual interfaces of the toolchain for Linux, which have the availability on Apple platforms. They are rewritten by
#   apple/interfaces.py: on watchOS and WASI, an `Int` has 32 bits.
# - The headers of the C libraries are those of `ziglang`, Apple's open ones among them. apple/headers has the module maps,
#   and apple/stubs/CLibrary.swiftinterface what the overlays add.
# - apple/stubs has the part of Foundation, Dispatch, and os that the package uses. The signatures are Apple's, and written
#   down by hand: what is wrong in them isn't found here. Nor is what Objective-C adds, such as its dynamic casts.
#
# visionOS can't be checked: it takes the availability from iOS, by a table that only its SDK has.
set -euo pipefail
cd "$(dirname "$0")/../.."
headers=$(python3 -c 'import pathlib, ziglang; print(pathlib.Path(ziglang.__file__).parent / "lib/libc/include")' 2> /dev/null) ||
  { echo "apple: skipped, the Python package ziglang isn't there (Scripts/install-tools.sh)"; exit 0; }
[ "$(uname -s)" = Linux ] && swiftc --version 2> /dev/null | grep -q 'Swift version 6\.3' ||
  { echo "apple: skipped, its stand-ins are made for Swift 6.3 on Linux"; exit 0; }
exec python3 -B Scripts/Checks/apple/check.py .build/apple "$headers" "$@"
