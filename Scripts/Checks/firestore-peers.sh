#!/usr/bin/env bash
# The Firestore client against servers and a client that aren't part of the package.
#
#   Scripts/Checks/firestore-peers.sh
#
# The server is Google's emulator where its jar and Java are on the machine, and otherwise the peer in
# ../shared/peers, which needs the Python package google-cloud-firestore. WalkPeerTests also runs the conformance
# suite of the diary's repositories there. Google's Python client then reads what Swift wrote, and the other way
# round. FIRESTORE_PYTHON names a Python that has the package; FIRESTORE_JAR names
# the jar, and none goes without. FIRESTORE_TEST_BINARY names tests that have been built. Whatever isn't there is
# skipped with a message.
set -euo pipefail
cd "$(dirname "$0")/../.."
python=${FIRESTORE_PYTHON:-python3}
jar=${FIRESTORE_JAR:-$(find /usr/lib/google-cloud-sdk "$HOME/google-cloud-sdk" /opt/google-cloud-sdk \
  -name cloud-firestore-emulator.jar 2>/dev/null | head -1 || true)}
peer=../shared/peers/firestore_peer.py
scratch=$(mktemp -d)
server=
cleanup() {
  if [ -n "$server" ]; then kill "$server" 2>/dev/null || true; fi
  rm -rf "$scratch"
}
trap cleanup EXIT
has_google() { "$python" -c 'import google.cloud.firestore' 2>/dev/null; }
free_port() { "$python" -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'; }

if [ -f "$jar" ] && command -v java > /dev/null; then
  port=$(free_port)
  java -Duser.language=en -cp "$jar" com.google.cloud.datastore.emulator.firestore.CloudFirestore \
    --host=127.0.0.1 --port="$port" --project_id=walkkit --database-mode=firestore-native > "$scratch/log" 2>&1 &
  server=$!
  name="Google's emulator"
elif [ -f "$peer" ] && has_google; then
  port=$(free_port)
  "$python" "$peer" "$port" > "$scratch/log" 2>&1 &
  server=$!
  name="$peer"
else
  echo "firestore-peers: skipped, there is neither Google's emulator nor $peer with google-cloud-firestore"
  exit 0
fi
for _ in $(seq 100); do
  if (exec 3<> "/dev/tcp/127.0.0.1/$port") 2>/dev/null; then break; fi
  sleep 0.2
done
echo "firestore-peers: $name listens on $port"
export FIELDKIT_FIRESTORE_PEER=127.0.0.1:$port

run() {
  # A suite that was skipped passes, so the log has to say what ran.
  if [ -f "${FIRESTORE_TEST_BINARY:-}" ]; then
    "$FIRESTORE_TEST_BINARY" --testing-library swift-testing --filter "$1" > "$scratch/tests" 2>&1
  else
    swift test --disable-xctest --filter "$1" > "$scratch/tests" 2>&1
  fi || { grep -E 'recorded an issue|error:|failed' "$scratch/tests" | head -40; exit 1; }
  grep -E 'peer: |Test run with' "$scratch/tests" | sed 's/^/firestore-peers: /'
}
run FirestorePeerTests
run WalkPeerTests

if ! has_google; then
  echo "firestore-peers: skipped Google's Python client: $python has no google-cloud-firestore"
  exit 0
fi
cat > "$scratch/exchange.py" <<'PYTHON'
import signal
import sys
signal.alarm(300)  # a peer that never answers mustn't hold up the gate
from google.api_core import _rest_streaming_base as base
from google.auth.credentials import AnonymousCredentials
from google.cloud.firestore_v1.services.firestore import FirestoreClient
from google.cloud.firestore_v1.services.firestore.transports import FirestoreRestTransport
from google.cloud.firestore_v1.types import document, firestore, write

# The client's parser of streams doesn't take the line break that the emulator sends at the end.
original = base.BaseResponseIterator._process_chunk
base.BaseResponseIterator._process_chunk = (
    lambda self, chunk: None if self._level == 0 and not chunk.strip() else original(self, chunk))
client = FirestoreClient(transport=FirestoreRestTransport(
    host=sys.argv[1], credentials=AnonymousCredentials(), url_scheme="http"))
database = "projects/walkkit/databases/(default)"
read = client.get_document(request={"name": f"{database}/documents/swift/every"})
fields = document.Document.pb(read).fields
checks = {
    "max": fields["max"].integer_value == 2**63 - 1, "min": fields["min"].integer_value == -2**63,
    "big": fields["big"].integer_value == 2**53 + 1, "whole": fields["whole"].double_value == 3.0,
    "whole is a double": fields["whole"].WhichOneof("value_type") == "double_value",
    "nan": fields["nan"].double_value != fields["nan"].double_value,
    "inf": fields["inf"].double_value == float("-inf"),
    "time": fields["time"].timestamp_value.ToJsonString() == "2020-01-02T03:04:05.123456Z",
    "text": fields["text"].string_value == "강 \"q\" \U0001F600 e\u0301\n",
    "bytes": fields["bytes"].bytes_value == b"\0\1\2\xff",
    "geo": fields["geo"].geo_point_value.longitude == -1.5,
    "ref": fields["ref"].reference_value == f"{database}/documents/swift/other",
    "list": len(fields["list"].array_value.values) == 3,
    "names": {"a.b", "back`tick", "한글", "e\u0301", "\u00e9"} <= set(fields),
    "count": len(fields) == 21,
}
bad = [name for name, good in checks.items() if not good]
if bad:
    sys.exit(f"firestore-peers: Google's client reads other values: {bad}")
copy = document.Document.pb(read)
client.commit(request=firestore.CommitRequest(database=database, writes=[write.Write(
    update=document.Document(name=f"{database}/documents/python/every", fields=read.fields))]))
print(f"firestore-peers: Google's Python client read what Swift wrote ({len(checks)} checks)")

# A diary: reads what Swift wrote, edits two of its walks, knowing only the readable fields, and adds a pet with a walk.
import hashlib
import math
from datetime import datetime, timedelta, timezone
from google.cloud.firestore_v1.types import common
root = f"{database}/documents/exchange/walks"
epoch = datetime(2001, 1, 1, tzinfo=timezone.utc)
noon = datetime(2026, 1, 1, 3, tzinfo=timezone.utc)
count = 0
def check(good, what):
    global count
    count += 1
    if not good:
        sys.exit(f"firestore-peers: Google's client reads another diary: {what}")
def fields(name):
    return document.Document.pb(client.get_document(request={"name": name})).fields
names = {}
for found in client.list_documents(request={"parent": root, "collection_id": "diary", "page_size": 300}):
    names[document.Document.pb(found).fields["id"].string_value] = found.name
check(len(names) == 21, f"{len(names)} documents")
for number in range(20):
    walk = fields(names[f"강 {number}"])
    exact = walk["exact"].map_value.fields
    start = (noon + timedelta(hours=number) - epoch).total_seconds() + 0.0000003 * number
    readable = (walk["start"].timestamp_value.ToDatetime(tzinfo=timezone.utc) - epoch).total_seconds()
    check(abs(readable - start) < 1e-6, f"the start of {number}")
    check("start" not in exact or exact["start"].double_value == start, f"the exact start of {number}")
    check(walk["elapsed"].double_value == 1800, f"the time of {number}")
    check(exact["elapsed"].string_value == (str(1800 * 10**18 + number) if number else ""), f"the exact time of {number}")
    check(walk["distance"].double_value == math.nextafter(0.1 + 0.2, 1) * number, f"the distance of {number}")
    notes = [note.map_value.fields for note in walk["notes"].map_value.fields.values()]
    notes.sort(key=lambda note: note["order"].double_value)
    check([note["text"].string_value for note in notes] == ["a.b `c` 강", ""], f"the notes of {number}")
digest = fields(names["강 0"])["route"].string_value
head = fields(f"{root}/routes/{digest}")
route = head["bytes"].bytes_value
for part in range(2, head["parts"].integer_value + 1):
    route += fields(f"{root}/routes/{digest}-{part}")["bytes"].bytes_value
check(len(route) == 1_000_000 and hashlib.sha256(route).hexdigest() == digest, "the route")

def text(value): return document.Value(string_value=value)
def number(value): return document.Value(double_value=value)
def time(seconds): return document.Value(timestamp_value=noon + timedelta(seconds=seconds))
def entries(**fields): return document.Value(map_value=document.MapValue(fields=fields))
changed = write.DocumentTransform.FieldTransform(
    field_path="changedAt", set_to_server_value=write.DocumentTransform.FieldTransform.ServerValue.REQUEST_TIME)
def put(name, values, mask=None):
    return write.Write(
        update=document.Document(name=name, fields=values), update_transforms=[changed],
        update_mask=mask and common.DocumentMask(field_paths=mask))
note = entries(kind=text("poo"), text=text("by Python"), time=time(2), order=document.Value(integer_value=7))
client.commit(request=firestore.CommitRequest(database=database, writes=[
    put(names["강 1"], {"start": time(0), "elapsed": number(12.5), "weather": text("clear")},
        ["start", "elapsed", "weather"]),
    put(names["강 2"], {"notes": entries(python=note)}, ["notes.python"]),
    put(f"{root}/diary/p2", {"type": text("pet"), "id": text("2"), "name": text("python"), "registered": time(0)}),
    put(f"{root}/diary/wpython", {
        "type": text("walk"), "id": text("python"), "start": time(360_000), "end": time(361_800),
        "utcOffset": document.Value(integer_value=32_400), "distance": document.Value(integer_value=1_234),
        "pets": document.Value(map_value=document.MapValue(fields={"2": entries(joined=time(360_000))}))})]))
print(f"firestore-peers: Google's Python client read 20 walks and wrote 3 ({count} checks)")
PYTHON
"$python" "$scratch/exchange.py" "127.0.0.1:$port"
FIELDKIT_FIRESTORE_WRITTEN=1 run 'another client has written'
echo "firestore-peers: Swift read what Google's Python client wrote"
