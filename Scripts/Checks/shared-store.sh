#!/usr/bin/env bash
# Starts a PostgreSQL server in a temporary folder, and runs a command with its address in FIELDKIT_DATABASE_URL; by
# default, it builds and tests Examples/SharedStore. Where PostgreSQL isn't installed, it says that it skipped.
set -euo pipefail
cd "$(dirname "$0")/../.."
bin=$(ls -d /usr/lib/postgresql/*/bin 2> /dev/null | sort -V | tail -1 || true)
[ -n "$bin" ] || bin=$(dirname "$(command -v initdb || true)")
if [ ! -x "$bin/initdb" ] || ! pkg-config --exists libpq; then
  echo "shared store: skipped, because PostgreSQL's server or libpq isn't installed here (apt install postgresql libpq-dev)"
  exit 0
fi
# Not in TMPDIR: the path of the socket has at most 107 bytes, and another user must reach it.
folder=$(mktemp -d /tmp/fieldkit-postgres.XXXXXX)
as=()
if [ "$(id -u)" = 0 ]; then
  # The server refuses to run as root.
  chown postgres "$folder"
  as=(setpriv --reuid=postgres --regid=postgres --clear-groups env HOME="$folder")
fi
stop() {
  (cd / && "${as[@]}" "$bin/pg_ctl" -D "$folder/data" -m immediate stop > /dev/null 2>&1) || true
  rm -rf "$folder"
}
trap stop EXIT
# It listens at a socket in the folder only, so nothing else can disturb it.
if ! (
  cd /
  "${as[@]}" "$bin/initdb" -D "$folder/data" -U field -A trust -E UTF8 --no-sync > /dev/null &&
  "${as[@]}" "$bin/pg_ctl" -D "$folder/data" -l "$folder/log" -w -s \
    -o "-c listen_addresses='' -c unix_socket_directories='$folder' -c fsync=off" start
); then
  [ -r "$folder/log" ] && cat "$folder/log"
  echo "shared store: skipped, because PostgreSQL's server doesn't start here"
  exit 0
fi
export FIELDKIT_DATABASE_URL="host=$folder user=field dbname=postgres"
if [ $# -gt 0 ]; then
  "$@"
  exit
fi
read -ra flags <<< "${DEBUG_FLAGS:--Xswiftc -warnings-as-errors --explicit-target-dependency-import-check error}"
options=(--package-path Examples/SharedStore ${SCRATCH:+--scratch-path "$SCRATCH"} "${flags[@]}")
swift build --build-tests "${options[@]}"
"$(swift build --show-bin-path "${options[@]}")/SharedStorePackageTests.xctest" --testing-library swift-testing
