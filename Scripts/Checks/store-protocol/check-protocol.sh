#!/usr/bin/env bash
# Checks the protocol of processes that share a store file, in two halves.
#
# The model: Spin explores every state of store.pml within bounds, finds no violation, and finds one in
# each protocol with a planted fault. Skipped if Spin or gcc is missing.
#
# The kernel: real writers run under strace, which also kills them and lets calls fail, alone and two at
# a time. check-trace.py checks that their system calls obey the rules that the model assumes, and must
# reject traces in which a call is missing. Skipped if strace is missing or can't trace.
#
#   Scripts/Checks/store-protocol/check-protocol.sh [FOLDER]
#
# FOLDER contains KillWriter; it is built for release if none is named.
set -euo pipefail
bin=${1:+$(cd "$1" && pwd)}
cd "$(dirname "$0")"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
fail() { echo "check-protocol.sh: $1"; exit 1; }
has() { command -v "$1" > /dev/null; }

# ---- The model ----

# explore MACRO...: explores the model; prints the states and seconds, and fails if there is an error.
explore() {
  local place
  place=$(mktemp -d "$folder/spin.XXXXXX")
  cp store.pml "$place"
  (
    cd "$place"
    spin -a "$@" store.pml
    gcc -w -O2 -DSAFETY -DCOLLAPSE -DMEMLIM=8000 -DVECTORSZ=512 -o pan pan.c
    ./pan -m400000 > output
    awk '/^pan:1: / { print substr($0, 8); found = 1 }
      /max search depth too small|out of memory|memory limit/ { print; found = 1 }
      /states, stored/ { states = $1 } /elapsed time/ { time = $4 }
      END { print states " states, " time " s"; exit found || states == "" }' output
  )
}

# holds TEXT MACRO...
holds() {
  local text=$1
  shift
  result=$(explore "$@") || fail "the protocol is wrong, with $*: $result"
  echo "the protocol holds, $text: $result"
}

# finds FAULT MACRO...
finds() {
  local fault=$1
  shift
  if result=$(explore "-D$fault" "$@"); then fail "$fault is not found: $result"; fi
  echo "$fault is found: $(tr '\n' ' ' <<< "$result")"
}

if has spin && has gcc; then
  calm=(-DKILLS=0 -DEVICTIONS=0)
  holds "with a reader, a kill, and a failed call" \
    -DCOMMITS=2 -DFAILURES=1 -DKILLS=1 -DPOWER_CUTS=0 -DEVICTIONS=0 -DOTHERS=0
  holds "with a power failure, a kill, and a failed call" \
    -DNO_READER -DCOMMITS=2 -DFAILURES=1 -DKILLS=1 -DEVICTIONS=0
  holds "with dropped pages that are read again, a power failure, and a failed call" \
    -DNO_READER -DCOMMITS=2 -DFAILURES=1 -DKILLS=0 -DEVICTIONS=1
  # Two stricter assertions, and the weaknesses that they once found (see store.pml).
  closing=(-DNO_READER -DCOMMITS=2 -DFAILURES=2 "${calm[@]}")
  finds OLD_CLOSE -DSTRICT_CLOSE "${closing[@]}"
  holds "if closing is asserted" -DSTRICT_CLOSE "${closing[@]}"
  deferred=(-DNO_READER -DCOMMITS=3 -DFAILURES=1 -DOTHERS=0 -DCOMPACTIONS=0 -DEVICTIONS=0)
  finds OLD_DEFERRED -DSTRICT_DEFERRED "${deferred[@]}"
  holds "if the order of deferred commits is asserted" -DSTRICT_DEFERRED "${deferred[@]}"
  finds NO_MARK -DNO_READER -DCOMMITS=2 -DFAILURES=1 -DPOWER_CUTS=0 "${calm[@]}"
  finds NO_REWRITE -DNO_READER -DCOMMITS=2 -DFAILURES=1 -DPOWER_CUTS=0 "${calm[@]}"
  finds NO_TAKE_BACK -DNO_READER -DCOMMITS=2 -DFAILURES=1 "${calm[@]}"
  for fault in NO_DIRECTORY_SYNC NO_SYNC_BEFORE_RENAME ACK_BEFORE_SYNC NO_CATCH_UP NO_LOCK; do
    finds $fault -DNO_READER -DCOMMITS=2 -DFAILURES=0 "${calm[@]}"
  done
  finds NO_STATUS -DCOMMITS=3 -DFAILURES=1 -DPOWER_CUTS=0 "${calm[@]}"
else
  echo "check-protocol.sh: the model is skipped, because spin or gcc is missing (apt install spin gcc)"
fi

# ---- The kernel ----

if ! has strace || ! strace -o /dev/null true 2> /dev/null; then
  echo "check-protocol.sh: the traces are skipped, because strace is missing or isn't permitted to trace"
  exit
fi
if [ -z "$bin" ]; then
  swift build --quiet --package-path ../../Tools -c release --product KillWriter
  bin=$(swift build --package-path ../../Tools -c release --show-bin-path)
fi
writer=$bin/KillWriter
calls=openat,creat,write,writev,pwrite64,pwritev,ftruncate,truncate,fallocate,fsync,fdatasync,flock
calls+=,rename,renameat,renameat2,unlink,unlinkat,link,symlink,clone,clone3,fork,vfork
store=$folder/data/rows.store
export SWIFT_BACKTRACE=enable=no  # a writer whose commit fails ends at once
mkdir "$folder/data"

# run NAME [INJECTION...] -- COMMAND...: traces a command that is killed, after 20 seconds at the latest.
run() {
  local name=$1 injections=() code=0
  shift
  while [ "$1" != -- ]; do injections+=(-e "inject=$1"); shift; done
  shift
  timeout -s KILL 20 strace -f -y -s 8 -e "trace=$calls" "${injections[@]}" \
    -o "$folder/$name" "$@" > /dev/null 2>&1 || code=$?
  [ -s "$folder/$name" ] || fail "$name has no trace (exit code $code)"
}

# checked NAME...: checks traces that belong together.
traces=0
checked() {
  result=$(cd "$folder" && python3 "$OLDPWD/check-trace.py" "$store" "$@") || fail "$result"
  traces=$((traces + $#))
  printf '%-26s %s\n' "${*: -1}" "$result"
}

# one NAME [INJECTION...]: a writer that goes on with the store, and is killed at the latest at its
# 40th acknowledgment. All traces so far are checked as one history.
history=()
one() {
  run "$@" write:signal=KILL:when=40 -- "$writer" write "$store"
  history+=("$1")
}

{
  one created
  one killed-at-sync fdatasync:signal=KILL:when=12
  one reopened-with-the-mark
  one killed-at-write pwrite64:signal=KILL:when=15
  one killed-at-rename rename:signal=KILL:when=1
  one killed-at-directory fsync:signal=KILL:when=1
  one failed-first-sync fdatasync:error=EIO:when=1
  one failed-sync fdatasync:error=EIO:when=7
  one failed-twice fdatasync:error=EIO:when=7+1
  one failed-cut fdatasync:error=EIO:when=8 ftruncate:error=EIO:when=1
  one failed-directory fsync:error=EIO:when=1
  one failed-rename rename:error=EIO:when=1
  one disk-full pwrite64:error=ENOSPC:when=10
  one after-all-that
} 2> /dev/null
checked "${history[@]}"
traces=0
for name in "${history[@]}"; do checked "$name"; done
printf 'FFRM\1\0\0\0torn' >> "$store"
one torn-end 2> /dev/null
checked torn-end
[ -s "$store.damaged-1" ] || fail "the torn end wasn't set aside"
both='"$0" write "$1" & "$0" write "$1"; wait'
run two-at-once write:signal=KILL:when=60 -- sh -c "$both" "$writer" "$store" 2> /dev/null
checked two-at-once
run two-and-failed-sync fdatasync:error=EIO:when=9 write:signal=KILL:when=60 -- \
  sh -c "$both" "$writer" "$store" 2> /dev/null
checked two-and-failed-sync
run two-and-killed fdatasync:signal=KILL:when=20 -- sh -c "$both" "$writer" "$store" 2> /dev/null
checked two-and-killed
echo "$traces traces of real writers obey the rules"

# A trace in which calls are missing or moved must be rejected.
rejected() {
  local rule=$1 name=$2 command=$3
  sed -E "$command" "$folder/$name" > "$folder/changed"
  ! cmp -s "$folder/$name" "$folder/changed" || fail "nothing to change for rule $rule"
  if result=$(python3 check-trace.py "$store" "$folder/changed"); then
    fail "a trace against rule $rule is accepted"
  fi
  grep -qE "rule $rule:" <<< "$result" || fail "rule $rule was expected, but: $result"
}
rejected 1 created '0,/pwrite64\([0-9]+<[^>]*store>/s/(pwrite64\([0-9]+<[^>]*)store>/\1other>/'
rejected 2 created '0,/LOCK_EX/{/LOCK_EX/d}'
rejected 3 created '0,/(store>, "FFRM.*, )([0-9]+)\) = /s/(store>, "FFRM.*, )([0-9]+)\) = /\11\2) = /'
rejected 4 created '/lock>, "\\1"/d'
rejected 5 created '/fdatasync\([0-9]+<[^>]*store>/d;/lock>, "\\0"/d;/LOCK_UN/d'
rejected 6 created '/fdatasync\([0-9]+<[^>]*new>/d'
rejected '(7|10)' created '/fsync\([0-9]+<[^>]*data>/d'
rejected 8 created '/fdatasync\([0-9]+<[^>]*store>/d'
rejected 9 torn-end '0,/fdatasync\([0-9]+<[^>]*store>\)/s/(fdatasync\([0-9]+<[^>]*store>\)) += 0/\1 = -1 EIO/'
rejected 10 created '0,/fdatasync\([0-9]+<[^>]*store>/{/fdatasync\([0-9]+<[^>]*store>/p}'
echo "changed traces are rejected by each rule"
