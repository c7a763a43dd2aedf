#!/usr/bin/env python3
"""Fails when a public symbol has no first sentence in its documentation.

Usage: abstracts.py GRAPH_FOLDER MODULE...
Symbols that the compiler makes (no location, or synthesized) are left out, and so are the blocks of
extensions, whose members count.
"""
import json
import pathlib
import sys

folder, modules = pathlib.Path(sys.argv[1]), sys.argv[2:]
missing, counted = [], 0
for module in modules:
    files = list(folder.rglob(f"{module}.symbols.json")) + list(folder.rglob(f"{module}@*.symbols.json"))
    if not files:
        sys.exit(f"abstracts: there is no symbol graph of {module}")
    for file in files:
        for symbol in json.loads(file.read_text())["symbols"]:
            if "::SYNTHESIZED::" in symbol["identifier"]["precise"] or "location" not in symbol:
                continue
            if symbol["kind"]["identifier"] == "swift.extension":
                continue
            counted += 1
            lines = symbol.get("docComment", {}).get("lines", [])
            if not any(line["text"].strip() for line in lines):
                missing.append(f"{module}: {'.'.join(symbol['pathComponents'])}")
if missing:
    print("\n".join(sorted(set(missing))))
    sys.exit(f"abstracts: {len(set(missing))} public symbols have no documentation")
print(f"abstracts: all {counted} public symbols are documented")
