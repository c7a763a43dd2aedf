#!/usr/bin/env bash
# Counts the instructions of a few operations with callgrind, and fails if one takes 5 % more or fewer than is noted in
# Benchmarks/instructions.txt. Unlike times, counts don't depend on the load of the machine; they do depend on
# the compiler. Skipped if valgrind is missing.
#
#   Scripts/Checks/instructions.sh [BINARY]             BINARY is the release build of Benchmarks; it's built if none is named
#   Scripts/Checks/instructions.sh --record [BINARY]    notes the counts
set -euo pipefail
cd "$(dirname "$0")/../.."
if ! command -v valgrind > /dev/null; then
  echo "instructions.sh: skipped, because valgrind is missing"
  exit
fi
noted=Benchmarks/instructions.txt
record=
if [ "${1:-}" = --record ]; then record=1; shift; fi
binary=${1:-}
if [ -z "$binary" ]; then
  build=(swift build -c release --package-path Benchmarks --scratch-path "${SCRATCH:-Benchmarks/.build}")
  "${build[@]}"
  binary=$("${build[@]}" --show-bin-path)/Benchmarks
fi
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export SWIFT_DETERMINISTIC_HASHING=1
"$binary" --prepare "$folder/rows" 2000

# The instructions of a process that repeats an operation: count NAME ROUNDS
count() {
  valgrind --tool=callgrind --callgrind-out-file=/dev/null "$binary" --operation "$1" "$folder/rows" "$2" 2>&1 \
    | sed -n 's/.*Collected : //p'
}

bad=0
echo "| operation, 2,000 rows | instructions | noted | change |"
echo "|---|---|---|---|"
while IFS=$'\t' read -r operation rounds before; do
  # Ten rounds build the indexes; the difference is what the further rounds take.
  few=$(count "$operation" 10)
  many=$(count "$operation" $((10 + rounds)))
  now=$(((many - few) / rounds))
  change=$(awk "BEGIN { printf \"%+.1f\", ($now - $before) * 100 / $before }")
  echo "| $operation | $now | $before | $change % |"
  if [ $((20 * (now > before ? now - before : before - now))) -gt "$before" ]; then bad=1; fi
  printf '%s\t%s\t%s\n' "$operation" "$rounds" "$now" >> "$folder/counts"
done < "$noted"
if [ -n "$record" ]; then
  cp "$folder/counts" "$noted"
elif [ $bad = 1 ]; then
  echo "instructions.sh: a count differs by more than 5 %; note it with --record if that is intended"
  exit 1
fi
