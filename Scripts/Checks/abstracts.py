#!/usr/bin/env python3
"""Fails when a public symbol has no abstract in its documentation, or one that isn't in the form of its symbol.

An abstract is one sentence. That of an initializer begins with "Creates", and that of a Boolean property with "A
Boolean value that indicates whether".

Usage: abstracts.py GRAPH_FOLDER MODULE...
Symbols that the compiler makes (no location, or synthesized) are left out, and so are the blocks of
extensions, whose members count.
"""
import json
import pathlib
import re
import sys

folder, modules = pathlib.Path(sys.argv[1]), sys.argv[2:]
missing, malformed, counted = [], [], 0


def has_form(symbol, abstract):
    """Whether the abstract is one sentence in the form of its symbol."""
    kind = symbol["kind"]["identifier"].removeprefix("swift.")
    declaration = "".join(part["spelling"] for part in symbol["declarationFragments"])
    if kind == "init" and not abstract.startswith("Creates "):
        return False
    if kind in ("property", "type.property") and re.search(r": Bool\b(?!\?)", declaration):
        if not abstract.startswith("A Boolean value that indicates whether"):
            return False
    return not re.search(r"[.!?]\s+[A-Z\"(]", re.sub(r"``?[^`]*``?", "x", abstract))


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
            text = "\n".join(line["text"].strip() for line in symbol.get("docComment", {}).get("lines", []))
            abstract = " ".join(text.strip().split("\n\n")[0].split())
            name = f"{module}: {'.'.join(symbol['pathComponents'])}"
            if not abstract:
                missing.append(name)
            elif not has_form(symbol, abstract):
                malformed.append(f"{name}: {abstract}")
if malformed:
    print("\n".join(sorted(set(malformed))))
    sys.exit(f"abstracts: {len(set(malformed))} public symbols have an abstract in another form")
if missing:
    print("\n".join(sorted(set(missing))))
    sys.exit(f"abstracts: {len(set(missing))} public symbols have no documentation")
print(f"abstracts: all {counted} public symbols are documented")
