#!/usr/bin/env bash
# One minute of wrk against Atlas, with four kinds of queries in turn: atlas-load.sh BINARY [SECONDS]. It fails if a
# response isn't 200. Run it with a release build for figures that mean anything.
set -euo pipefail
cd "$(dirname "$0")/../.."
if ! command -v wrk > /dev/null; then
  echo "atlas-load: skipped, because wrk isn't installed (apt-get install wrk)"
  exit 0
fi
folder=$(mktemp -d)
port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
"${1:?the atlas binary is missing}" --port "$port" --data "$folder/data" > "$folder/log" 2>&1 &
server=$!
trap 'kill "$server" 2> /dev/null || true; wait "$server" 2> /dev/null || true; rm -rf "$folder"' EXIT
site=http://127.0.0.1:$port
until curl -sf "$site/metrics" 2> /dev/null | grep -q '^atlas_meteorites [1-9]'; do
  kill -0 "$server" || { cat "$folder/log"; exit 1; }
  sleep 0.3
done
cat > "$folder/mix.lua" <<'LUA'
local paths = {
  "/api/zoo/wall?text=panda", "/api/metro/route?from=R28&to=BR01",
  "/api/meteorites/nearest?latitude=25.03&longitude=121.56", "/api/meteorites/find?text=ice",
}
local turn = 0
request = function()
  turn = turn % #paths + 1
  return wrk.format("GET", paths[turn])
end
LUA
wrk --threads 2 --connections 32 --duration "${2:-60}s" --latency --script "$folder/mix.lua" "$site" | tee "$folder/wrk"
worker=$(pgrep -P "$server" | head -1)
sed -n 's/^VmHWM:/Peak memory of the server:/p' "/proc/$worker/status"
! grep -q 'Non-2xx' "$folder/wrk" || { echo "atlas-load: some responses weren't 200"; exit 1; }
