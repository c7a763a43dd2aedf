#!/usr/bin/env python3
"""Fails when a page of the repository points to a file that is not there.

Looks at links and at paths in code font, in the pages at the root and in Docs/. Addresses of the web
are left alone, since a check must not need a network; links of DocC are docc's to check.
"""
import pathlib
import re
import sys

root = pathlib.Path(__file__).resolve().parents[2]
folders = "Benchmarks|Docs|Examples|Scripts|Snippets|Sources|Tests"
dead = []
for page in sorted([*root.glob("*.md"), *root.glob("Docs/**/*.md")]):
    text = page.read_text()
    for target in re.findall(r"\]\(([^)#\s]+)", text):
        if "://" not in target and not (page.parent / target).exists():
            dead.append(f"{page.relative_to(root)}: {target}")
    for target in re.findall(rf"`((?:{folders})/[\w./+-]*)", text):
        if not (root / target).exists():
            dead.append(f"{page.relative_to(root)}: {target}")
if dead:
    sys.exit("\n".join(f"links: {line} is not there" for line in dead))
print("links: all links lead somewhere")
