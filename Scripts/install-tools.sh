#!/bin/sh
# Installs the Python packages that some tests compare FieldKit with, among them Google's client of Firestore
# for Scripts/Checks/firestore-peers.sh, a validator of GitHub's workflows, and Zig's headers of other platforms for
# Scripts/Checks/apple.sh. Where they are missing, those tests are skipped, and the gate says so.
#
#   Scripts/install-tools.sh     into .build/python, where .ci/run finds them; it prints how to run the tests with them
set -eu
cd "$(dirname "$0")/.."
folder=$PWD/.build/python
python3 -m pip install --quiet --disable-pip-version-check --upgrade --target "$folder" \
  check-jsonschema ckanapi esridump feedparser geographiclib google-cloud-firestore gpxpy gtfs-realtime-bindings polyline pynigiri pyproj
# It is large, and may be refused where the others aren't.
python3 -m pip install --quiet --disable-pip-version-check --upgrade --target "$folder" ziglang ||
  echo "skipped: ziglang can't be had"
echo "PYTHONPATH=$folder swift test"
