#!/usr/bin/env python3
"""Fills the numbers of README.md and of articles from the records table of Docs/benchmarks.md, so that all agree.

Usage: numbers.py [--check]
The benchmarks write that table; see Docs/benchmarks.md. README has a table between `<!-- numbers -->` and `<!-- end of numbers -->`; in articles,
`<!-- =ROW|COLUMN -->` and `<!-- = -->` are around a number, and the column is `plain`,
`GRDB`, `plain ÷ GRDB`, or `date`. With --check, nothing is
written, and a difference fails.
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
README = ROOT / "README.md"
ARTICLES = [ROOT / "Sources/FieldKit/FieldKit.docc/Questions-and-answers.md", ROOT / "Docs/performance.md"]
# Rows of the table, by what README calls them.
ROWS = {
    "the 50 heaviest, warm": "The 50 largest of a value, in order",
    "one look-up, warm": "One record by its ID",
    "1 % upsert": "Upsert of 457 rows, durable",
    "rows to a durable store": "JSON to a durable store",
    "process → one look-up": "New process to its first record",
    "process → one of 1005752 rows": "The same with 1,005,752 rows",
}
COLUMNS = {"plain": 3, "GRDB": 5, "plain ÷ GRDB": 7}

table = (ROOT / "Docs/benchmarks.md").read_text().split("<!-- records -->")[1].split("<!-- end of records -->")[0]
rows = {cells[1]: cells for cells in ([cell.strip() for cell in line.split("|")]
                                      for line in table.splitlines() if line.startswith("| ")) if len(cells) > 5}


def seconds(text):
    """The seconds in a text such as `9.98 µs`."""
    number, unit = text.split()
    return float(number) * {"ns": 1e-9, "µs": 1e-6, "ms": 1e-3, "s": 1}[unit]


def readme_table():
    lines = ["| Work | FieldKit | GRDB | Times as fast |", "|---|---|---|---|"]
    for name, title in ROWS.items():
        ours, theirs = rows[name][COLUMNS["plain"]], rows[name][COLUMNS["GRDB"]]
        ratio = seconds(theirs) / seconds(ours)
        shown = f"{ratio:.0f}" if ratio >= 9.5 else f"{ratio:.1f}" if ratio >= 1 else f"**{ratio:.2g}**"
        lines.append(f"| {title} | {ours} | {theirs} | {shown} |")
    return "\n".join(lines)


def number(mark):
    name, column = mark[1].rsplit("|", 1)
    shown = re.search(r"\d{4}-\d\d-\d\d", table)[0] if column == "date" else rows[name][COLUMNS[column]]
    return f"<!-- ={mark[1]} -->{shown}<!-- = -->"


filled = {README: re.sub(r"(<!-- numbers -->\n).*?(<!-- end of numbers -->)",
                         lambda mark: mark[1] + readme_table() + "\n" + mark[2], README.read_text(), flags=re.S)}
for article in ARTICLES:
    filled[article] = re.sub(r"<!-- =([^>]+?) -->.*?<!-- = -->", number, article.read_text())
for path, text in filled.items():
    if "--check" not in sys.argv[1:]:
        path.write_text(text)
    elif text != path.read_text():
        sys.exit(f"numbers: {path.name}'s numbers aren't those of Docs/benchmarks.md. Run Scripts/Generators/numbers.py.")
