#!/usr/bin/env python3
"""Fails when code that an article shows is not on its page.

Usage: snippets.py SITE SOURCES
docc leaves out what it cannot place without a word: an article's page must have as many blocks of code as its source
has fences, and none of them may be empty. A symbol's page also shows those of the symbol's comment.
"""
import json
import pathlib
import re
import sys


def listings(node):
    if isinstance(node, dict):
        if node.get("type") == "codeListing":
            yield node
        for value in node.values():
            yield from listings(value)
    elif isinstance(node, list):
        for value in node:
            yield from listings(value)


site, sources = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
shown, bad = 0, []
for article in sorted(sources.glob("*/*.docc/**/*.md")):
    text = article.read_text()
    fences = len(re.findall(r"^\s*```", text, re.MULTILINE)) // 2
    module = article.parents[[p.suffix for p in article.parents].index(".docc")].stem.lower()
    is_symbol = re.match(r"# ``", text)
    if is_symbol and not fences:
        continue  # the curated topics of a type
    name = article.stem.lower()
    page = site / "data/documentation" / (f"{module}.json" if name == module else f"{module}/{name}.json")
    if not page.exists():
        bad.append(f"{article} has no page at {page}")
        continue
    found = list(listings(json.loads(page.read_text()).get("primaryContentSections", [])))
    if len(found) < fences or not is_symbol and len(found) > fences:
        bad.append(f"{article} has {fences} fences; its page shows {len(found)}")
    if any(not any(line.strip() for line in listing["code"]) for listing in found):
        bad.append(f"{article} shows an empty block of code")
    shown += fences
if bad:
    sys.exit("\n".join(f"snippets: {line}" for line in bad))
print(f"snippets: all {shown} blocks of code are on their pages")
