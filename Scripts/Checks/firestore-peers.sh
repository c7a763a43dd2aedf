#!/usr/bin/env bash
# The Firestore client against servers and a client that aren't part of the package.
#
#   Scripts/Checks/firestore-peers.sh
#
# The server is Google's emulator where its jar and Java are on the machine, and otherwise the peer in
# ../shared/peers, which needs the Python package google-cloud-firestore. Google's Python client then reads what
# Swift wrote, and the other way round. FIRESTORE_PYTHON names a Python that has the package; FIRESTORE_JAR names
# the jar, and none goes without. Whatever isn't there is skipped with a message.
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
  if [ -n "${FIRESTORE_TEST_BINARY:-}" ]; then
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
import sys
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
PYTHON
"$python" "$scratch/exchange.py" "127.0.0.1:$port"
FIELDKIT_FIRESTORE_WRITTEN=1 run 'another client has written'
echo "firestore-peers: Swift read what Google's Python client wrote"
