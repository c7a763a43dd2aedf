#!/usr/bin/env python3
"""Writes Sources/FieldXML/HTML/HTMLEntity+Data.swift from Python's html.entities.

    python3 Scripts/Generators/entity-table.py

Python has the table of the HTML Standard (13.5, Named character references).
"""
from html.entities import html5
from pathlib import Path

WIDTH = 94


def wrapped(words):
    lines, line = [], ""
    for word in words:
        if len(line) + len(word) + 1 > WIDTH:
            lines.append(line)
            line = ""
        line += word + " "
    lines.append(line.rstrip())
    return "\n".join(f"    {line}\\" for line in lines)[:-1]


names = sorted(name[:-1] for name in html5 if name.endswith(";"))
bare = sorted(name for name in html5 if not name.endswith(";"))
assert all(html5[name] == html5[name + ";"] for name in bare)
pairs = [f"{name} {'.'.join(f'{ord(c):X}' for c in html5[name + ';'])}" for name in names]
Path("Sources/FieldXML/HTML/HTMLEntity+Data.swift").write_text(
    f'''// Written by Scripts/Generators/entity-table.py from Python's html.entities; not to be edited by hand.

extension HTMLEntity {{
  /// The {len(names):,} names of the HTML Standard, each followed by its one or two characters in
  /// hexadecimal.
  static let pairs = """
{wrapped(pairs)}
    """

  /// The {len(bare)} names that may stand without a semicolon, as pages of the last century have them.
  static let bareNames = """
{wrapped(bare)}
    """
}}
''')
print(len(names), "names")
