#!/usr/bin/env python3
"""Writes the code of snippets into the articles that show it, so that they read the same everywhere.

Usage: article-code.py [--check]
In an article, `<!-- Snippets/NAME.swift: SLICE -->` stands before the code, which this script replaces. An article may also
be written with docc's `@Snippet(path: "FieldKit/Snippets/NAME", slice: "SLICE")`, which becomes the former. The files are in
Snippets and in Tests/*/Guides, so all code that articles show is compiled. `// snippet.SLICE` to `// snippet.end` is a
slice; lines between `// snippet.hide` and `// snippet.show` are left out, and so are `//!` lines. With --check, nothing is
written, and a difference fails.
"""
import pathlib
import re
import sys
import textwrap

ROOT = pathlib.Path(__file__).resolve().parents[2]
FILES = {path.stem: path for folder in [ROOT / "Snippets", *sorted(ROOT.glob("Tests/*/Guides"))]
         for path in sorted(folder.rglob("*.swift"))}
DIRECTIVE = re.compile(r'^( *)@Snippet\(path: "FieldKit/Snippets/([\w-]+)"(?:, slice: "([\w-]+)")?\)$', re.M)
BLOCK = re.compile(r"^( *)<!-- ((?:Snippets|Tests)/\S+\.swift)(?:: ([\w-]+))? -->\n(?: *```swift\n.*?^ *```$)?", re.M | re.S)


def slices(path):
    """The shown lines of a file, and those of each slice."""
    every, parts, hidden, name = [], {}, False, None
    for line in path.read_text().splitlines():
        word = line.strip()
        if word.startswith("//!"):
            continue
        if word in ("// snippet.hide", "// snippet.show"):
            hidden = word == "// snippet.hide"
        elif word == "// snippet.end" and name:
            name = None
        elif word.startswith("// snippet."):
            if name or word == "// snippet.end":
                sys.exit(f"article-code: {path}: {word} stands in the wrong place")
            name = word.removeprefix("// snippet.")
            parts[name] = []
        elif not hidden:
            every.append(line)
            if name:
                parts[name].append(line)
    if name:
        sys.exit(f"article-code: {path}: the slice {name} has no end")
    return every, parts


def block(indent, path, part):
    every, parts = slices(path)
    if part and part not in parts:
        sys.exit(f"article-code: {path} has no slice {part}")
    code = textwrap.dedent("\n".join(parts[part] if part else every)).strip("\n")
    marker = f"<!-- {path.relative_to(ROOT)}{': ' + part if part else ''} -->"
    return textwrap.indent(f"{marker}\n```swift\n{code}\n```", indent)


def directive(match):
    if match[2] not in FILES:
        sys.exit(f"article-code: there is no snippet {match[2]}")
    return block(match[1], FILES[match[2]], match[3])


different = []
for article in sorted((ROOT / "Sources").glob("*/*.docc/**/*.md")):
    text = article.read_text()
    filled = BLOCK.sub(lambda match: block(match[1], ROOT / match[2], match[3]), DIRECTIVE.sub(directive, text))
    if filled != text:
        different.append(str(article.relative_to(ROOT)))
        if "--check" not in sys.argv[1:]:
            article.write_text(filled)
if different and "--check" in sys.argv[1:]:
    sys.exit("\n".join(f"article-code: {name} doesn't have the code of its snippets. Run Scripts/Generators/article-code.py."
                       for name in different))
