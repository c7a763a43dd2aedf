#!/usr/bin/env bash
# Compares the system calls of stores, blobs, and journals with those of the model of a file system, call by
# call. Skipped if strace is missing or can't trace.
#
#   Scripts/Checks/kernel-calls.sh [BINARY]
#
# BINARY are tests that have been built; the debug build's are used if none are named.
. "$(dirname "$0")/test-binary.sh"
if ! command -v strace > /dev/null || ! strace -o /dev/null true 2> /dev/null; then
  echo "kernel-calls.sh: skipped, because strace is missing or isn't permitted to trace"
  exit
fi
find_binary "${1:-}"
folder=$(cd "$(mktemp -d)" && pwd -P)
trap 'rm -rf "$folder"' EXIT
calls=openat,open,close,read,pread64,pwrite64,ftruncate,fsync,fdatasync,flock,fstat,stat,newfstatat,statx
calls+=,rename,renameat,renameat2,unlink,unlinkat,mkdir,mkdirat
FIELDKIT_CALLS=$folder/calls strace -f -qq -s 0 -e "trace=$calls" -o "$folder/trace" \
  "$binary" --testing-library swift-testing --filter KernelCallsTests > "$folder/output" 2>&1 \
  || { tail -20 "$folder/output"; exit 1; }
python3 Scripts/Checks/kernel-calls.py "$folder/calls" "$folder/trace"

# A log in which a call is missing, or two are exchanged, must be rejected.
for change in '0,/ sync /{/ sync /d}' '0,/ rename /{/ rename /{h;d}};/ syncDirectory /{G;}'; do
  sed -i.whole "$change" "$folder/calls/store.model"
  if python3 Scripts/Checks/kernel-calls.py "$folder/calls" "$folder/trace" > /dev/null 2>&1; then
    echo "kernel-calls.sh: a changed log is accepted: $change"
    exit 1
  fi
  mv "$folder/calls/store.model.whole" "$folder/calls/store.model"
done
echo "changed logs are rejected"
