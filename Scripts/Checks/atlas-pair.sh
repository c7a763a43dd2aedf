#!/usr/bin/env bash
# Two Atlas processes on one database see each other's commits, even if one of them is killed: atlas-pair.sh BINARY,
# with the database in FIELDKIT_DATABASE_URL (see shared-store.sh).
set -euo pipefail
binary=$1
folder=$(mktemp -d)
processes=()
stop() {
  kill "${processes[@]}" 2> /dev/null || true
  wait 2> /dev/null || true
  rm -rf "$folder"
}
trap stop EXIT
fail() { echo "atlas-pair: $1"; exit 1; }
until_true() {  # WHAT COMMAND...: tries for a minute
  local what=$1
  shift
  for _ in $(seq 300); do "$@" > /dev/null 2>&1 && return; sleep 0.2; done
  fail "no $what within a minute"
}
free_port() { python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'; }
sites=()
for name in left right; do
  port=$(free_port)
  "$binary" --port "$port" --data "$folder/$name" --database "$FIELDKIT_DATABASE_URL" > "$folder/$name.log" 2>&1 &
  processes+=($!)
  sites+=("http://127.0.0.1:$port")
done
left=${sites[0]} right=${sites[1]}
for site in "${sites[@]}"; do until_true "answer" curl -sf "$site/health"; done
curl -sN "$right/events" > "$folder/events" &
processes+=($!)
until_true "event of the zoo" grep -q '"sightings":0' "$folder/events"

printf '\xff\xd8\xff\xe0a photo' > "$folder/owl.jpg"
curl -sf -X POST -H 'X-Atlas: 1' --data-binary "@$folder/owl.jpg" "$left/api/zoo/sightings?name=Owl" > /dev/null
until_true "event of the other process's commit" grep -q '"sightings":1' "$folder/events"
number=$(curl -sf "$right/api/zoo/wall?text=Owl" | python3 -c 'import json, sys; print(json.load(sys.stdin)["rows"][0]["sequence"])')
curl -sf "$right/api/zoo/picture/$number" | cmp - "$folder/owl.jpg" || fail "the photo differs"

# The supervisor starts the killed process again, which then reads what the other one has committed meanwhile.
curl -sf -X POST -H 'X-Atlas: 1' "$left/api/kill" > /dev/null
curl -sf -X POST -H 'X-Atlas: 1' --data-binary "@$folder/owl.jpg" "$right/api/zoo/sightings?name=Owlet" > /dev/null
two() { [ "$(curl -sf "$left/api/zoo/wall?text=Owl" | grep -o '"name":"Owl' | wc -l)" = 2 ]; }
until_true "both sightings after the kill" two
echo "atlas-pair: two processes on one database see each other's commits, also after a kill"
