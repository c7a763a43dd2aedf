#!/usr/bin/env bash
# Damages a store file, and checks that `day-out store` finds, exports, and salvages what is left. Also checks
# that `day-out feed` marks the items that are hidden in a store, and no others.
#
#   Scripts/Checks/store-tool.sh [FOLDER]     FOLDER contains day-out; it is built if none is named
set -euo pipefail
cd "$(dirname "$0")/../.."
if [ $# = 0 ]; then
  swift build --quiet --package-path Examples/DayOut
  set -- "$(swift build --package-path Examples/DayOut --show-bin-path)"
fi
tool() { "$bin/day-out" store "$@"; }
bin=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
store=$folder/sightings.store
fail() { echo "store-tool.sh: $1"; exit 1; }

cp Tests/Fixtures/Golden/zoo/sightings.store "$store"
tool "$store" --verify
tool "$store"
whole=$(tool "$store" --export | wc -l)
[ "$whole" -gt 1 ] || fail "the store has $whole lines"
tool "$store" --export | python3 -c 'import json, sys; [json.loads(line) for line in sys.stdin]'

# A bit of the first batch, which the listing finds.
place=$(tool "$store" --json | python3 -c \
  'import json, sys; print(json.load(sys.stdin)["parts"][0]["offset"] + 45)')
python3 - "$store" "$place" <<'PYTHON'
import sys
with open(sys.argv[1], "r+b") as file:
    file.seek(int(sys.argv[2]))
    byte = file.read(1)[0]
    file.seek(int(sys.argv[2]))
    file.write(bytes([byte ^ 4]))
PYTHON
cp "$store" "$folder/damaged"
if tool "$store" --verify 2> "$folder/errors"; then fail "the damage is not found"; fi
grep -q "is damaged" "$folder/errors" || fail "$(cat "$folder/errors")"
left=$(tool "$store" --export | wc -l)
[ "$left" -gt 0 ] && [ "$left" -lt "$whole" ] || fail "$left of $whole lines are left"

tool "$store" --salvage --copy "$folder/copy.store"
cmp -s "$store" "$folder/damaged" || fail "a copy changed the original"
tool "$folder/copy.store" --verify
tool "$store" --salvage
tool "$store" --verify
cmp -s "$store.salvaged-1" "$folder/damaged" || fail "the damaged original is gone"
[ "$(tool "$store" --export | grep -c '"put')" = "$(tool "$folder/copy.store" --export | grep -c '"put')" ] ||
  fail "the copy and the store differ"

code=0
tool "$store" --verify --export 2> /dev/null || code=$?
[ "$code" = 64 ] || fail "two actions at once exit with $code"
# The golden directory has one hidden activity.
cp -r Tests/Fixtures/Golden/civic "$folder/city"
cat > "$folder/feed.xml" <<'XML'
<rss version="2.0"><channel><title>city</title>
<item><title>hidden</title><link>https://city.example.tw/News_Content.aspx?n=10&amp;s=1</link></item>
<item><title>shown</title><link>https://city.example.tw/News_Content.aspx?n=10&amp;s=2</link></item>
</channel></rss>
XML
hidden() {
  "$bin/day-out" feed "$folder/feed.xml" --json "$@" | python3 -c \
    'import json, sys; print([item["hidden"] for item in json.load(sys.stdin)["items"]])'
}
[ "$(hidden --store "$folder/city")" = "[True, False]" ] || fail "hidden: $(hidden --store "$folder/city")"
[ "$(hidden)" = "[False, False]" ] || fail "hidden without a store: $(hidden)"
echo "store-tool.sh: $left of $whole lines survived the damage"
