#!/usr/bin/env bash
# The rules that a compiler does not check: see Docs/house-rules.md for the reason of each.
set -euo pipefail
cd "$(dirname "$0")/../.."
bad=0
complain() { echo "house: $1"; bad=1; }

if grep -nE '^\s*(dependencies: \[\s*\.package|\.package\()' Package.swift; then
  complain "the package has dependencies"
fi
if grep -rnE 'try!|fatalError\(|@unchecked|unsafeFlags|TODO|FIXME' Sources Package.swift |
  grep -v -e 'class ImmediateQueue: OperationQueue, @unchecked Sendable' \
    -e 'target.swiftSettings = \[.unsafeFlags(\["-Onone"\], .when(configuration: .release))\]'; then
  complain "these have no place in Sources"
fi
if grep -rn 'nonisolated(unsafe)' Sources | grep -vE 'Sources/FieldCore/(Lock|Once).swift'; then
  complain "nonisolated(unsafe) stands in Lock.swift and Once.swift only"
fi
if grep -rnE '^\s*(@[a-zA-Z_]+ )*import ' Sources --include '*.swift' --exclude-dir '*.docc'; then
  complain "every import has an access level"
fi
light=(Sources/FieldCore Sources/FieldPortals Sources/FieldXML Sources/FieldTransit Sources/FieldFirestore Sources/ZooKit Sources/MetroKit Sources/MeteorKit Sources/WalkKit Sources/WalkFirestore Sources/CivicKit)
if grep -rnE 'import Foundation(Essentials)?$' "${light[@]}"; then
  complain "Foundation comes from FieldFoundation, which imports no more of it than is there"
fi
if grep -rn 'import Synchronization' Sources | grep -vE 'Sources/FieldCore/(Lock|Once).swift'; then
  complain "Synchronization is imported by Lock.swift and Once.swift only"
fi
if grep -rln 'FoundationNetworking' Sources | grep -v '^Sources/FieldURLSession/'; then
  complain "FoundationNetworking is imported by FieldURLSession only"
fi
if grep -rnE 'import FoundationXML' Sources; then
  complain "FieldXML reads XML; nothing imports FoundationXML"
fi
if grep -rnE --include '*.swift' --exclude-dir .build 'TaskGroup\(of: \(' \
  Sources Tests Snippets Examples Scripts Benchmarks Adapters 2>/dev/null; then
  complain "a task group's element is no tuple: release builds lose parts of it (Docs/decisions/006)"
fi
long=$(find Sources -name '*.swift' -exec awk 'END { if (NR > 700) print FILENAME ": " NR " lines" }' {} \;)
if [ -n "$long" ]; then
  echo "$long"
  complain "no file is longer than 700 lines"
fi
# Except for lists of exports, files for one platform, what scripts write, and what wasm32.sh compiles apart.
short=$(find Sources -name '*.swift' ! -path '*.docc/*' ! -name Exports.swift \
  -exec awk 'FNR == 1 { whole = 1 } /^#if/ { whole = 0 } END { if (NR < 30 && whole) print FILENAME ": " NR " lines" }' {} \; |
  grep -vE 'FieldFoundation.swift|FieldPrivacy.swift|TaipeiNetwork.swift|FoldingTable\+Variants.swift|BinaryInteger\+Digits.swift|String\+UTF8Span.swift|ImportID.swift' || true)
if [ -n "$short" ]; then
  echo "$short"
  complain "a file under 30 lines joins its type"
fi
if grep -rnE 'timeLimit\(\.minutes\([1-5]?[0-9]\)\)' Tests; then
  complain "a time limit of a test is an hour: it ends what hangs, and says nothing of speed"
fi
if git ls-files | grep -E '(^|/)\.build/|Package\.resolved$'; then
  complain "build products are committed"
fi
# The three imports, the record, the rows with the function that syncs them (data.taipei has its own rows), and a portal.
programs=$(awk '
  /snippet\.end/ { part = "" }
  part { lines[part]++; if (part == "rows" && /^\/\/\/ /) start = lines[part] }
  match($0, /snippet\.(record|rows|arcgis|ckan|opendatasoft|socrata|taipei)$/) { part = substr($0, RSTART + 8) }
  END {
    for (part in lines) if (part != "record" && part != "rows") {
      all = 3 + lines["record"] + lines["rows"] + lines[part] - (part == "taipei" ? start - 1 : 0)
      if (all > 30) print "the program for " part " has " all " lines"
    }
  }' Snippets/SyncingAnyPortal.swift)
if [ -n "$programs" ]; then
  echo "$programs"
  complain "a program that syncs a portal has at most 30 lines"
fi
python3 Scripts/Generators/article-code.py --check || bad=1
python3 Scripts/Generators/numbers.py --check || bad=1
python3 Scripts/Checks/layers.py || bad=1
python3 Scripts/Checks/words.py || bad=1
python3 Scripts/Checks/old-names.py || bad=1
python3 Scripts/Checks/test-names.py || bad=1
python3 Scripts/Checks/protocols.py || bad=1
python3 Scripts/Checks/error-texts.py || bad=1
exit $bad
