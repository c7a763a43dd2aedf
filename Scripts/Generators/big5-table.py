#!/usr/bin/env python3
"""Writes Sources/FieldCore/Text/Big5+Data.swift and Big5+HongKong.swift from Python's codecs.

    python3 Scripts/Generators/big5-table.py

Code page 950 is the Big5 that Windows servers write: it has the standard's 13,053 characters and a few
of the maker's own. Big5-HKSCS is Big5 with the supplementary characters of Hong Kong; of it only what
differs from code page 950 is written.
"""
from pathlib import Path

GAP = None
TRAILS = [*range(0x40, 0x7F), *range(0xA1, 0xFF)]


def decoded(codec, lead, trail):
    try:
        text = bytes([lead, trail]).decode(codec)
    except UnicodeDecodeError:
        return GAP
    if not text.isprintable() and text != "\u3000" or 0xE000 <= ord(text[0]) <= 0xF8FF:
        return GAP
    return text


def lines(cells):
    """The characters; runs of gaps are written as their number, so that there is hardly more."""
    lines, line, index = [], "", 0
    while index < len(cells):
        end = index
        while end < len(cells) and cells[end] is GAP:
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
    return "\n".join(f"    {line}\\" for line in lines)[:-1]


def write(name, source, comment, constant, cells):
    Path(f"Sources/FieldCore/Text/Big5+{name}.swift").write_text(
        f'''// Written by Scripts/Generators/big5-table.py from Python's {source}; not to be edited by hand.

extension Big5 {{
{comment}
  static let {constant} = """
{lines(cells)}
    """
}}
''')


cells = [decoded("cp950", lead, trail) for lead in range(0xA1, 0xFA) for trail in TRAILS]
count = sum(cell is not GAP for cell in cells)
write("Data", "code page 950", f'''  /// The {count:,} characters of the leads A1 to F9 with their 157 trails each, in order; `<n>` stands for n
  /// codes without a character.''', "characters", cells)

added, changed, hong_kong = 0, 0, []
for lead in range(0x87, 0xFF):
    for trail in TRAILS:
        own, plain = decoded("big5hkscs", lead, trail), decoded("cp950", lead, trail)
        # The sign for the euro, which Hong Kong's servers write as those of Taiwan do.
        if own == plain or plain == "€":
            hong_kong.append(GAP)
        elif own is GAP:
            hong_kong.append("\uFFFD")
        else:
            hong_kong.append(own)
            added, changed = added + (plain is GAP), changed + (plain is not GAP)
write("HongKong", "codec for Big5-HKSCS", f'''  /// What Big5-HKSCS has in the leads 87 to FE with their 157 trails each and code page 950 has not, in
  /// order: {added:,} more characters and {changed} others; `<n>` stands for n codes without a difference, and U+FFFD
  /// for a code without a character.''', "hongKongCharacters", hong_kong)
print(f"{count:,} characters, {added:,} more and {changed} others in Hong Kong")
