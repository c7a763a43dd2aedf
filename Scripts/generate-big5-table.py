#!/usr/bin/env python3
"""Writes Sources/FieldCore/Text/Big5+Data.swift from Python's code page 950.

    python3 Scripts/generate-big5-table.py

Code page 950 is the Big5 that Windows servers write: it has the standard's 13,053 characters and a few
of the maker's own.
"""
from pathlib import Path

GAP = "?"
TRAILS = [*range(0x40, 0x7F), *range(0xA1, 0xFF)]
cells = []
for lead in range(0xA1, 0xFA):
    for trail in TRAILS:
        try:
            text = bytes([lead, trail]).decode("cp950")
        except UnicodeDecodeError:
            text = GAP
        if len(text) != 1 or not text.isprintable() and text != "\u3000" or 0xE000 <= ord(text) <= 0xF8FF:
            text = GAP
        cells.append(text)

# Runs of gaps are written as their number, so that the table holds hardly more than characters.
lines, line = [], ""
index = 0
while index < len(cells):
    end = index
    while end < len(cells) and cells[end] == GAP:
        end += 1
    piece = f"<{end - index}>" if end > index else cells[index]
    if piece in "\\\"":
        piece = "\\" + piece
    if len(line) + len(piece) > 46:
        lines.append(line)
        line = ""
    line += piece
    index = max(end, index + 1)
lines.append(line)
count = sum(cell != GAP for cell in cells)
body = "\n".join(f"    {line}\\" for line in lines)[:-1]
Path("Sources/FieldCore/Text/Big5+Data.swift").write_text(
    f'''// Written by Scripts/generate-big5-table.py from Python's code page 950; not to be edited by hand.

extension Big5 {{
  /// The {count:,} characters of the leads A1 to F9 with their 157 trails each, in order; `<n>` stands for n
  /// codes without a character.
  static let characters = """
{body}
    """
}}
''')
print(count, "characters in", len(lines), "lines")
