#!/bin/sh
# Installs the Python packages that some tests compare FieldKit with. Where they are missing, those tests are
# skipped, and the gate says how many.
#
#   Scripts/install-tools.sh     into .build/python; it prints how to run the tests with them
set -eu
cd "$(dirname "$0")/.."
folder=$PWD/.build/python
python3 -m pip install --quiet --disable-pip-version-check --upgrade --target "$folder" \
  feedparser gpxpy geographiclib polyline
echo "PYTHONPATH=$folder swift test"
