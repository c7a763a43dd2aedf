#!/usr/bin/env python3
"""Writes Sources/FieldCore/Text/GB18030+Data.swift from Python's codec.

    python3 Scripts/Generators/gb18030-table.py

GB 18030 contains GBK, and that GB 2312. All codes of two bytes have a character. Most of those that GBK
added are the ideographs that the others lack, in the order of Unicode, and the private characters are in
order, too, so neither has to be written. The codes of four bytes follow from those of two.
"""
from pathlib import Path

TRAILS = [*range(0x40, 0x7F), *range(0x80, 0xFF)]
CODES = [(lead, trail) for lead in range(0x81, 0xFF) for trail in TRAILS]
SCALARS = [ord(bytes(code).decode("gb18030")) for code in CODES]


def is_ideograph(scalar):
    return 0x4E00 <= scalar <= 0x9FA5


def is_derived(code, scalar):
    lead, trail = code
    return is_ideograph(scalar) and (lead <= 0xA0 or lead >= 0xAA and trail <= 0xA0)


def pieces():
    index = 0
    while index < len(CODES):
        end = index
        while end < len(CODES) and is_derived(CODES[end], SCALARS[end]):
            end += 1
        if end > index:
            yield f"<{end - index}>"
            index = end
            continue
        scalar = SCALARS[index]
        is_private = 0xE000 <= scalar <= 0xF8FF
        yield f"\\u{{{scalar:X}}}" if is_private or not chr(scalar).isprintable() else chr(scalar)
        index = end = index + 1
        while is_private and end < len(CODES) and SCALARS[end] == scalar + end - index + 1:
            end += 1
        if end > index:
            yield f"{{{end - index}}}"
            index = end


listed = {s for c, s in zip(CODES, SCALARS) if not is_derived(c, s)}
derived = [s for c, s in zip(CODES, SCALARS) if is_derived(c, s)]
assert derived == [s for s in range(0x4E00, 0x9FA6) if s not in listed]

lines, line, width = [], "", 0
for piece in pieces():
    if width + len(piece) > 46:
        lines.append(line)
        line, width = "", 0
    line += piece
    width += len(piece)
lines.append(line)
text = "\\\n".join(f"    {line}" for line in lines)
Path("Sources/FieldCore/Text/GB18030+Data.swift").write_text(
    f'''// Written by Scripts/Generators/gb18030-table.py from Python's codec; not to be edited by hand.

extension GB18030 {{
  /// The {len(SCALARS):,} characters of the leads 81 to FE with their 190 trails each, in order; `<n>` stands
  /// for the next n ideographs that aren't listed, and `{{n}}` for the n characters that follow the last.
  static let characters = """
{text}
    """
}}
''')
print(f"{len(SCALARS):,} characters, of which {len(derived):,} are derived")
