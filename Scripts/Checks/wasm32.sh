#!/usr/bin/env bash
# The arithmetic of times, numbers, IDs, and stored forms is right where an `Int` has 32 bits, as on watchOS's devices.
# The files that do it are compiled as Embedded Swift for wasm32, beside stand-ins for what they name elsewhere, and
# run. Skipped where the toolchain has no such library, or no wasmkit. A planted shift by 32 bits must be found.
set -euo pipefail
cd "$(dirname "$0")/../.."
target=wasm32-unknown-none-wasm
toolchain=$(dirname "$(readlink -f "$(command -v swiftc)")")
unicode=$toolchain/../lib/swift/embedded/$target/libswiftUnicodeDataTables.a
for tool in clang wasm-ld wasmkit; do
  [ -x "$toolchain/$tool" ] || { echo "wasm32: skipped, the toolchain has no $tool"; exit 0; }
done
[ -f "$unicode" ] || { echo "wasm32: skipped, the toolchain has no Embedded Swift for $target"; exit 0; }

files=(
  FieldCore/ForeignNumbers.swift FieldCore/BinaryInteger+Digits.swift FieldCore/Geography/EncodedPolyline.swift
  FieldCore/Stores/Blobs/SHA256.swift FieldCore/Stores/Files/{CRC32C,StoreFileHeader}.swift
  FieldCore/Text/{DecimalText,Span+Bytes,Span+Trimming,String+StreamSafe,String+UTF8Span}.swift
  FieldFirestore/Values/FirestoreTimestamp.swift WalkKit/Exchange/ImportID.swift
  WalkKit/Route/Coding/RiceCoding.swift
)
for file in Sources/FieldCore/Time/*.swift; do
  case $file in */FieldClock.swift | */Backoff.swift) ;; *) files+=("${file#Sources/}") ;; esac
done
flags=(
  -target "$target" -enable-experimental-feature Embedded -wmo -parse-as-library -Onone -swift-version 6
  -package-name FieldKit -enable-upcoming-feature ExistentialAny -suppress-warnings
)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
mkdir "$scratch/sources"
for file in "${files[@]}"; do
  # Embedded Swift has no Codable and no errors of unknown types, and these files are one module.
  sed -E -e '/^extension .*: Codable \{/,/^\}/d' -e 's/, Codable\b//g' -e '/-> Decimal\?/,/^  \}/d' \
    -e '/init\(from decoder/,/^  \}/d' -e '/func encode\(to encoder.*\}$/d' -e '/func encode\(to encoder/,/^  \}/d' \
    -e '/rethrows/!s/\) throws (->|\{)/) throws(FieldError) \1/' -e '/import FieldCore$/d' \
    "Sources/$file" > "$scratch/sources/$(basename "$file")"
done

swiftc "${flags[@]}" -emit-module -module-name FieldFoundation Scripts/Checks/wasm32/FieldFoundation.swift \
  -emit-module-path "$scratch/FieldFoundation.swiftmodule"
"$toolchain/clang" --target=wasm32 -O1 -ffreestanding -fno-builtin -c Scripts/Checks/wasm32/runtime.c \
  -o "$scratch/runtime.o"

# Compiles the sources with the expressions, and runs them.
run() {
  swiftc "${flags[@]}" -c -module-name Sources -I "$scratch" "$scratch"/sources/*.swift \
    Scripts/Checks/wasm32/{Main,Stand-ins}.swift -o "$scratch/sources.o"
  "$toolchain/wasm-ld" --gc-sections -z stack-size=1048576 "$scratch/sources.o" "$scratch/runtime.o" "$unicode" \
    -o "$scratch/program.wasm"
  "$toolchain/wasmkit" run "$scratch/program.wasm"
}

run
sed -i -E 's/Int64\(1\) << 40/Int64(Int(1) << 40)/' "$scratch/sources/ForeignNumbers.swift"
if run > "$scratch/planted" 2>&1 || ! grep -q 'wrong: the longest duration' "$scratch/planted"; then
  echo "wasm32: a planted shift by 40 bits isn't found"
  exit 1
fi
