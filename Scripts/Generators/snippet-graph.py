#!/usr/bin/env python3
"""Writes the symbol graph that docc needs to show Snippets/*.swift and the guides' tests.

Usage: snippet-graph.py OUTPUT FOLDER...
The path of a snippet is FieldKit/Snippets/NAME, in whichever folder it lies.
A snippet's lines between `// snippet.hide` and `// snippet.show` are left out; `// snippet.NAME` to
`// snippet.end` is the slice NAME; the `//!` lines at the top are its abstract.
"""
import json
import pathlib
import sys


def read(path):
    head, lines, slices, hidden, name = [], [], {}, False, None
    for line in path.read_text().splitlines():
        word = line.strip()
        if word.startswith("//!"):
            head.append(word[3:].strip())
        elif word == "// snippet.hide":
            hidden = True
        elif word == "// snippet.show":
            hidden = False
        elif word == "// snippet.end" and name:
            slices[name][1] = len(lines)
            name = None
        elif word.startswith("// snippet."):
            if name or word == "// snippet.end":
                sys.exit(f"snippet-graph: {path}: {word} stands in the wrong place")
            name = word.removeprefix("// snippet.")
            slices[name] = [len(lines), len(lines)]
        elif not hidden:
            lines.append(line)
    if name:
        sys.exit(f"snippet-graph: {path}: the slice {name} has no end")
    while lines and not lines[0].strip() and not slices:
        lines.pop(0)
    return head, lines, slices


output, folders = pathlib.Path(sys.argv[1]), [pathlib.Path(folder) for folder in sys.argv[2:]]
symbols = []
for folder, path in [(folder, path) for folder in folders for path in sorted(folder.glob("**/*.swift"))]:
    head, lines, slices = read(path)
    where = ["Snippets", *path.relative_to(folder).with_suffix("").parts]
    symbols.append({
        "kind": {"identifier": "swift.snippet", "displayName": "Snippet"},
        "identifier": {"precise": "$snippet__FieldKit." + ".".join(where), "interfaceLanguage": "swift"},
        "pathComponents": where,
        "names": {"title": where[-1]},
        "docComment": {"lines": [{"text": text} for text in head]},
        "accessLevel": "public",
        "snippet": {"language": "swift", "lines": lines, "slices": slices},
    })
output.write_text(json.dumps({
    "metadata": {"formatVersion": {"major": 0, "minor": 1, "patch": 0}, "generator": "snippet-graph.py"},
    "module": {"name": "FieldKit", "platform": {}, "isVirtual": True},
    "symbols": symbols,
    "relationships": [],
}))
