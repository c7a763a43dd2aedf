#!/usr/bin/env bash
# Opens the documentation in a real browser, and searches it from every module: see site-browser.mjs.
# site-browser.sh [SITE [SCREENSHOT-FOLDER]]
set -euo pipefail
cd "$(dirname "$0")/../.."
for tool in chromium node; do
  if ! command -v "$tool" > /dev/null; then
    echo "site-browser: skipped, because $tool isn't installed (apt-get install chromium nodejs)"
    exit 0
  fi
done
exec node --experimental-websocket --no-warnings Scripts/Checks/site-browser.mjs "${1:-site}" "${2:-}"
