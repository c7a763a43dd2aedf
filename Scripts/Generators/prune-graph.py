#!/usr/bin/env python3
"""Leaves out of a symbol graph what a type gets from a conformance and nobody reads about: `!=`, `hashValue`,
`map`, and the like. It's recognized by having no place in our sources. The defaults of StoredRecord, which
every record has, are documented once, at the protocol. The default of a method that a type declares itself is left
out, too: DocC would show both, and a link to one would be ambiguous.

Usage: prune-graph.py FOLDER...
"""
import json
import pathlib
import sys


def is_synthesized(symbol, own):
    usr = symbol["identifier"]["precise"]
    return "::SYNTHESIZED::" in usr and ("location" not in symbol or usr.startswith("s:9FieldCore12StoredRecordP")
                                         or tuple(symbol["pathComponents"]) in own)


left_out = 0
for file in [file for folder in sys.argv[1:] for file in pathlib.Path(folder).glob("*.symbols.json")]:
    graph = json.loads(file.read_text())
    own = {tuple(symbol["pathComponents"]) for symbol in graph["symbols"]
           if "::SYNTHESIZED::" not in symbol["identifier"]["precise"]}
    gone = {symbol["identifier"]["precise"] for symbol in graph["symbols"] if is_synthesized(symbol, own)}
    if not gone:
        continue
    graph["symbols"] = [symbol for symbol in graph["symbols"] if symbol["identifier"]["precise"] not in gone]
    graph["relationships"] = [r for r in graph["relationships"] if not gone & {r["source"], r["target"]}]
    file.write_text(json.dumps(graph))
    left_out += len(gone)
print(f"prune-graph: {left_out} synthesized members left out")
