#!/usr/bin/env bash
# Fuzzes the readers of foreign bytes with libFuzzer, one target after another: Scripts/Checks/fuzz.sh [SECONDS] [TARGET…]
# The first argument is the time for each target, 5 seconds by default; the others name targets, all by default.
#
# The corpora and the findings stay in .build/fuzz. A finding is minimized, and its path and its bytes are printed.
# FUZZ_SANITIZE=fuzzer,address adds the address sanitizer. FUZZ_BUILD is another directory for builds and corpora.
set -euo pipefail
cd "$(dirname "$0")/../.."

resources=$(swiftc -print-target-info 2>/dev/null | sed -n 's/.*"runtimeResourcePath": "\(.*\)".*/\1/p')
if [[ -z $(find -L "$resources/clang/lib" -name 'libclang_rt.fuzzer*' 2>/dev/null) ]]; then
  echo "skipped: this toolchain has no libFuzzer"
  exit 0
fi

seconds=${1:-5}
[[ $# -eq 0 ]] || shift
sanitize=${FUZZ_SANITIZE:-fuzzer}
build=${FUZZ_BUILD:-$PWD/.build/fuzz}
swift build -c release --package-path Scripts/Fuzz --scratch-path "$build/${sanitize//,/-}" --product Fuzz \
  -Xswiftc "-sanitize=$sanitize" -Xswiftc -use-ld=lld -Xswiftc -enable-testing
fuzz=$build/${sanitize//,/-}/release/Fuzz

# Swift's own handler of crashes would keep libFuzzer from saving the input.
export SWIFT_BACKTRACE=enable=no FUZZ_TARGET
limits=(-print_funcs=0 -timeout=20 -rss_limit_mb=2048 -malloc_limit_mb=512 -detect_leaks=0)
status=0
for FUZZ_TARGET in $([[ $# -gt 0 ]] && printf '%s\n' "$@" || "$fuzz" list); do
  corpus=$build/corpora/$FUZZ_TARGET findings=$build/findings/$FUZZ_TARGET log=$build/$FUZZ_TARGET.log
  mkdir -p "$corpus" "$findings" "$build/seeds/$FUZZ_TARGET"
  "$fuzz" seeds "$FUZZ_TARGET" "$build/seeds/$FUZZ_TARGET"
  if "$fuzz" "$corpus" "$build/seeds/$FUZZ_TARGET" -max_total_time="$seconds" -max_len=4096 -print_final_stats=1 \
    -artifact_prefix="$findings/" "${limits[@]}" >"$log" 2>&1; then
    awk -v name="$FUZZ_TARGET" '
      / cov: / { for (i = 1; i < NF; i++) { if ($i == "cov:") edges = $(i + 1); if ($i == "corp:") corpus = $(i + 1) } }
      /number_of_executed_units/ { runs = $2 }
      /average_exec_per_sec/ { rate = $2 }
      END { printf "%-10s %10d runs %7d/s %6d edges, corpus %s\n", name, runs, rate, edges, corpus }' "$log"
  else
    status=1
    finding=$(sed -n 's/.*Test unit written to //p' "$log" | head -1)
    echo "$FUZZ_TARGET: $(grep -m1 -E 'FINDING|Fatal error|ERROR:|SUMMARY' "$log" || tail -3 "$log")"
    [[ -n $finding ]] || continue
    "$fuzz" "$finding" -minimize_crash=1 -max_total_time=20 -exact_artifact_path="$finding.min" "${limits[@]}" \
      >/dev/null 2>&1 || true
    [[ -s $finding.min ]] && finding=$finding.min
    echo "  $finding"
    xxd "$finding" | head -20
  fi
done
exit $status
