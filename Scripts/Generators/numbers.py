#!/usr/bin/env python3
"""Fills the numbers of README.md from the records table of Docs/benchmarks.md, so that both agree.

Usage: numbers.py [--check]
The benchmarks write that table; see Docs/benchmarks.md. With --check, nothing is written, and a difference fails.
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
# Rows of the table, by what README calls them.
ROWS = {
    "the 50 heaviest, warm": "The 50 largest of a value, in order",
    "one look-up, warm": "One record by its ID",
    "1 % upsert": "Upsert of 457 rows, durable",
    "rows to a durable store": "JSON to a durable store",
    "process → one look-up": "New process to its first record",
    "process → one of 1005752 rows": "The same with 1,005,752 rows",
}


def seconds(text):
    """The seconds in a text such as `9.98 µs`."""
    number, unit = text.split()
    return float(number) * {"ns": 1e-9, "µs": 1e-6, "ms": 1e-3, "s": 1}[unit]


def block():
    table = (ROOT / "Docs/benchmarks.md").read_text().split("<!-- records -->")[1].split("<!-- end of records -->")[0]
    rows = {cells[1]: cells for cells in ([cell.strip() for cell in line.split("|")]
                                          for line in table.splitlines() if line.startswith("| ")) if len(cells) > 5}
    lines = ["| Work | FieldKit | GRDB | Times as fast |", "|---|---|---|---|"]
    for name, title in ROWS.items():
        ours, theirs = rows[name][3], rows[name][5]
        ratio = seconds(theirs) / seconds(ours)
        shown = f"{ratio:.0f}" if ratio >= 9.5 else f"{ratio:.1f}" if ratio >= 1 else f"**{ratio:.2g}**"
        lines.append(f"| {title} | {ours} | {theirs} | {shown} |")
    return "\n".join(lines)


path = ROOT / "README.md"
text = path.read_text()
filled = re.sub(r"(<!-- numbers -->\n).*?(<!-- end of numbers -->)", lambda m: m[1] + block() + "\n" + m[2], text, flags=re.S)
if "--check" not in sys.argv[1:]:
    path.write_text(filled)
elif filled != text:
    sys.exit("numbers: README.md's numbers aren't those of Docs/benchmarks.md. Run Scripts/Generators/numbers.py.")
