#!/usr/bin/env bash
# Writes the documentation as static pages to site/ (or to the folder given), from a clean clone and
# without a plugin: symbol graphs out of the compiled modules, pages from the toolchain's docc, and one site with
# a landing page and a search around them. A warning is an error, and so is a public symbol without a first
# sentence.
set -euo pipefail
cd "$(dirname "$0")/../.."
site=${1:-site}
# In the order of their imports, since a link reaches only the modules before its own.
modules="FieldCore FieldURLSession FieldPortals FieldXML FieldTransit FieldFirestore FieldFakes FirestoreFakes ZooKit MetroKit MeteorKit WalkKit WalkFirestore CivicKit FieldKit FieldTesting"

scratch=${SCRATCH:-.build/docs/build}
graphs=.build/docs/graphs
archives=.build/docs/archives
log=.build/docs/build.log
# The sources that the pages link to, if they have an address, and the version that the pages show.
commit=$(git rev-parse --short HEAD 2>/dev/null || echo main)
tag=$(git describe --tags --exact-match 2>/dev/null || true)
address=$(sed -n 's/^> Address: \(https.*\)/\1/p' Docs/releasing.md)
sources=()
if [ -n "$address" ]; then
  sources=(--source-service github --source-service-base-url "$address/blob/${tag:-$commit}" --checkout-path "$PWD")
fi
rm -rf "$graphs" "$archives" "$site"
mkdir -p "$graphs" "$archives"

# The snippets are compiled here as well. The gate names a folder and flags that it has built the modules
# with already.
swift build --scratch-path "$scratch" ${DEBUG_FLAGS:-} >"$log" 2>&1 || { cat "$log"; exit 1; }

# The graphs are extracted from the modules, not written along by the build: a build that has nothing
# to do would leave them out, and those of FieldKit and the kits would have all that they re-export.
target=$(swift -print-target-info | python3 -c 'import json, sys; print(json.load(sys.stdin)["target"]["triple"])')
places=(-I "$(swift build --scratch-path "$scratch" --show-bin-path)/Modules" -target "$target")
if command -v xcrun >/dev/null; then
  places+=(-sdk "$(xcrun --show-sdk-path)"
    -F "$(xcrun --show-sdk-platform-path)/Developer/Library/Frameworks")
fi
# The code that the tutorials show, one file for each step.
for code in Sources/*/*.docc/Resources/*.swift; do
  swiftc -typecheck -swift-version 6 -warnings-as-errors "${places[@]}" "$code"
done
python3 Scripts/Generators/diagrams.py --check

for module in $modules; do
  mkdir "$graphs/$module"
  swift symbolgraph-extract -module-name "$module" "${places[@]}" -output-dir "$graphs/$module" \
    -minimum-access-level public -emit-extension-block-symbols
done
python3 Scripts/Checks/abstracts.py "$graphs" $modules
python3 Scripts/Generators/prune-graph.py "$graphs"/*

links=()
for module in $modules; do
  docc convert "Sources/$module/$module.docc" --additional-symbol-graph-dir "$graphs/$module" \
    --fallback-display-name "$module" --fallback-bundle-identifier "$module" \
    --output-path "$archives/$module.doccarchive" --transform-for-static-hosting \
    ${sources[@]+"${sources[@]}"} \
    --enable-experimental-external-link-support ${links[@]+"${links[@]}"} --warnings-as-errors
  links+=(--dependency "$archives/$module.doccarchive")
done
docc merge "$archives"/*.doccarchive --output-path "$site" \
  --synthesized-landing-page-name "FieldKit, module by module" \
  --synthesized-landing-page-topics-style list
python3 Scripts/Checks/snippets.py "$site" Sources
python3 Scripts/Generators/site.py "$site" "$archives" "${tag:-Unreleased ($commit)}"

pages=$(find "$site" -name index.html | wc -l)
echo "build-docs: $pages pages in $site"
echo "To read them: python3 -m http.server -d $site, then open http://localhost:8000/"
echo "To host them below a path: Scripts/Generators/rebase-site.py $site /PATH"
