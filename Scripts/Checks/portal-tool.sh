#!/usr/bin/env bash
# Checks `day-out portal` with a CKAN portal that is written in Python: what it says of an address, what a sync stores and reports, and what
# is found without the portal. Also checks its demonstration, in which each family's rows are stored exactly once.
#
#   Scripts/Checks/portal-tool.sh [FOLDER]     FOLDER contains day-out; it is built if none is named
set -euo pipefail
cd "$(dirname "$0")/../.."
if [ $# = 0 ]; then
  swift build --quiet --package-path Examples/DayOut
  set -- "$(swift build --package-path Examples/DayOut --show-bin-path)"
fi
bin=$1
folder=$(mktemp -d)
server=
trap '[ -z "$server" ] || kill "$server" 2> /dev/null || true; rm -rf "$folder"' EXIT
fail() { echo "portal-tool.sh: $1"; exit 1; }

cat > "$folder/portal.py" <<'PYTHON'
import http.server
import json
import sys
import urllib.parse

rows = [{"_id": n + 1, "tree": f"t{n}", "species": "榕樹, old" if n % 10 == 0 else "Quercus", "latitude": 50 + n / 1000,
         "longitude": 14.25, "planted": None if n % 3 else f"20{n % 20:02}-05-01"} for n in range(230)]
rows[7]["tree"] = None
RESOURCE = {"id": "trees-1", "name": "Trees", "format": "CSV", "package_id": "trees", "datastore_active": True,
            "last_modified": "2026-01-02T03:04:05.678901"}
PACKAGE = {"id": "trees", "name": "trees", "title": "Street trees", "notes": "<p>All <b>trees</b></p>", "license_title": "CC BY 4.0",
           "organization": {"title": "The city"}, "resources": [RESOURCE]}
FIELDS = [{"id": "_id", "type": "int"}, {"id": "tree", "type": "text"}, {"id": "species", "type": "text"},
          {"id": "latitude", "type": "numeric"}, {"id": "longitude", "type": "numeric"}, {"id": "planted", "type": "date"}]


class Portal(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        url = urllib.parse.urlsplit(self.path)
        query = dict(urllib.parse.parse_qsl(url.query))
        action = url.path.rpartition("/")[2]
        status, result = 200, None
        if action == "change":
            rows[3]["species"] = "Tilia"
            del rows[100]
            result = {}
        elif action == "package_show":
            result = PACKAGE
        elif action == "resource_show":
            result = RESOURCE
        elif action == "datastore_info":
            result = {"meta": {"count": len(rows)}, "fields": FIELDS}
        elif action == "datastore_search" and "filters" not in query:
            start, limit = int(query.get("offset", 0)), int(query.get("limit", 100))
            assert query.get("sort", "_id") == "_id"
            result = {"fields": FIELDS, "records": rows[start:start + limit], "total": len(rows)}
        answer = {"success": True, "result": result}
        if result is None:
            status, answer = 404, {"success": False, "error": {"__type": "Not Found Error", "message": "Not found"}}
        body = json.dumps(answer).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Portal) as server:
    with open(sys.argv[1] + ".new", "w") as file:
        file.write(str(server.server_port))
    import os
    os.rename(sys.argv[1] + ".new", sys.argv[1])
    server.serve_forever()
PYTHON
python3 "$folder/portal.py" "$folder/port" &
server=$!
for _ in $(seq 600); do [ -s "$folder/port" ] && break; sleep 0.1; done
url=http://127.0.0.1:$(cat "$folder/port")/dataset/trees
portal() { "$bin/day-out" portal "$@"; }
# expect EXPRESSION ARGUMENT...: the expression holds of the JSON, which is called `it`.
expect() {
  local expression=$1
  shift
  portal "$@" --json > "$folder/out.json" || fail "day-out portal $* failed"
  python3 -c 'import json, sys
it = json.load(open(sys.argv[1]))
if not eval(sys.argv[2]): sys.exit(f"portal-tool.sh: {sys.argv[2]} doesn'"'"'t hold of {it}")' "$folder/out.json" "$expression" || exit 1
}

expect 'it["family"] == "CKAN" and it["name"] == "Street trees" and it["rowCount"] == 230' "$url"
expect 'it["license"] == "CC BY 4.0" and it["publisher"] == "The city" and it["summary"] == "All trees"' "$url"
expect 'it["updatedAt"] == "2026-01-02T03:04:05Z" and [each["kind"] for each in it["columns"]] == ["text", "text", "number", "number", "date"]' "$url"
expect '"sync" not in it and it["key"] == "_id"' "$url/resource/trees-1"
portal "$url" | grep -q 'CC BY 4.0' || fail "the license isn't printed"

store=$folder/trees
expect 'it["sync"]["added"] == 230 and it["stored"] == 230 and it["sync"]["failures"] == 0' "$url" --sync --store "$store" --page 50
# A row without the key is a failure that is told.
expect 'it["sync"]["failures"] == 1 and it["stored"] == 229 and "no tree" in it["sync"]["firstFailures"][0]' \
  "$url" --sync --key tree --page 50
curl -sf "${url%/dataset/trees}/api/3/action/change" > /dev/null
expect '(it["sync"]["updated"], it["sync"]["removed"], it["stored"]) == (1, 1, 229)' "$url" --sync --store "$store" --page 50
kill "$server"
wait "$server" 2> /dev/null || true
server=
# Without the portal.
expect 'it["matches"] == 22 and it["stored"] == 229 and len(it["rows"]) == 3' "$url" --store "$store" --search 榕
expect '[each["cells"]["tree"] for each in it["rows"]] == ["t50", "t49"] and it["rows"][0]["meters"] < 1' \
  "$url" --store "$store" --near 50.05,14.25 --count 2
expect '[each["cells"]["tree"] for each in it["rows"]] == ["t50", "t40"]' \
  "$url" --store "$store" --near 50.05,14.25 --count 2 --search "榕樹"
if portal "$url" --sync --store "$store" > /dev/null 2> "$folder/errors"; then fail "a sync without the portal succeeds"; fi
expect 'it["stored"] == 229' "$url" --store "$store" --search 榕

for arguments in "https://example.org/trees" "$url --search x" "$url --near 95,0 --sync" "$url $url"; do
  code=0
  # shellcheck disable=SC2086
  portal $arguments > /dev/null 2>&1 || code=$?
  [ "$code" != 0 ] || fail "day-out portal $arguments succeeds"
done

expect '[each["family"] for each in it] == ["Socrata", "ArcGIS", "CKAN", "OpenDataSoft", "data.taipei"]'
expect 'all(each["stored"] >= 500 and each["sync"]["failures"] == 0 and each["rows"][0]["meters"] < 1 for each in it)'
echo "portal-tool.sh: a portal of each family was described and synced, and 229 of 230 rows were found without it"
