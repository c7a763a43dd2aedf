#!/usr/bin/env bash
# Opens Examples/Atlas in a real browser and checks every view: see atlas-browser.mjs.
# atlas-browser.sh [BINARY [SCREENSHOT-FOLDER]]
set -euo pipefail
cd "$(dirname "$0")/../.."
for tool in chromium node; do
  if ! command -v "$tool" > /dev/null; then
    echo "atlas-browser: skipped, because $tool isn't installed (apt-get install chromium nodejs)"
    exit 0
  fi
done
binary=${1:-$(swift build --package-path Examples/Atlas --show-bin-path)/atlas}
exec node --experimental-websocket --no-warnings Scripts/Checks/atlas-browser.mjs "$binary" "${2:-}"
