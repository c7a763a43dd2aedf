#!/usr/bin/env bash
# Writes the documentation as static pages to site/ (or to the folder given): symbol graphs from the
# compiler, pages from the toolchain's docc, no plugin. A warning is an error, and so is a public
# symbol without a first sentence.
set -euo pipefail
cd "$(dirname "$0")/.."
site=${1:-site}
modules="FieldCore FieldURLSession FieldFakes MeteorKit FieldTesting"

graphs=.build/docs/graphs
archives=.build/docs/archives
rm -rf "$graphs" "$archives" "$site"
mkdir -p "$graphs" "$archives"
swift build --scratch-path .build/docs/build \
  -Xswiftc -emit-symbol-graph -Xswiftc -emit-symbol-graph-dir -Xswiftc "$PWD/$graphs" \
  -Xswiftc -symbol-graph-minimum-access-level -Xswiftc public | tail -1

python3 Scripts/check-abstracts.py "$graphs" $modules
python3 Scripts/snippet-graph.py Snippets "$graphs/snippets/FieldKit-snippets.symbols.json"

links=()
for module in $modules; do
  own="$graphs/$module"
  mkdir -p "$own"
  find "$graphs" -maxdepth 1 \( -name "$module.symbols.json" -o -name "$module@*.symbols.json" \) -exec mv {} "$own" \;
  cp "$graphs"/snippets/*.symbols.json "$own" 2>/dev/null || true
  docc convert "Sources/$module/$module.docc" --additional-symbol-graph-dir "$own" \
    --fallback-display-name "$module" --fallback-bundle-identifier "$module" \
    --output-path "$archives/$module.doccarchive" --transform-for-static-hosting \
    --enable-experimental-external-link-support ${links[@]+"${links[@]}"} --warnings-as-errors
  links+=(--dependency "$archives/$module.doccarchive")
done
docc merge "$archives"/*.doccarchive --output-path "$site" --synthesized-landing-page-name FieldKit
pages=$(find "$site" -name index.html | wc -l)
echo "build-docs: $pages pages in $site; python3 -m http.server -d $site, then open /documentation"
