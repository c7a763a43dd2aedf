#!/usr/bin/env python3
"""Checks the page "When something goes wrong": each message that it quotes exists in the sources, with `…` for what
varies, and it has an entry for each code of FieldCore."""
import pathlib
import re
import sys

root = pathlib.Path(__file__).resolve().parents[2]
page = root / "Sources/FieldCore/FieldCore.docc/When-something-goes-wrong.md"
codes = root / "Sources/FieldCore/Errors/FieldError+Code.swift"


def without_comments(source):
    return re.sub(r"^\s*///?.*$", "", source, flags=re.M)


def without_interpolations(text):
    """The literal parts of a Swift string, with a mark for each interpolation."""
    parts, depth, i = [], 0, 0
    while i < len(text):
        if depth == 0 and text.startswith("\\(", i):
            depth, i = 1, i + 2
            parts.append("\0")
        elif depth:
            depth += {"(": 1, ")": -1}.get(text[i], 0)
            i += 1
        else:
            parts.append(text[i])
            i += 1
    return "".join(parts).replace('\\"', '"')


def literals():
    """All string literals of the sources as one text, those that `+` joins in one piece."""
    texts = []
    for file in sorted((root / "Sources").rglob("*.swift")):
        # Lines that a multiline literal joins become one.
        source = re.sub(r"\\\n\s*", "", without_comments(file.read_text()))
        texts.append(re.sub(r'"\s*\+\s*"', "", without_interpolations(source)))
    return "\n".join(texts)


def main():
    sources, text, bad = literals(), page.read_text(), []
    for heading in re.findall(r"^### (.*)$", text, flags=re.M):
        for message in re.findall(r'"((?:[^"`]|`[^`]*`)*)"', heading):
            # What varies may be a message itself, so each part stands for itself.
            for part in re.split(r"HTTP (?:\d+|…): |(?: at )?…", message):
                if part.strip() not in sources:
                    bad.append(f"no source has the text: {part}")
    for code in re.findall(r'rawValue: "([a-z]+\.[A-Za-z]+)"\)', without_comments(codes.read_text())):
        if f"`{code}`" not in text:
            bad.append(f"there is no entry for {code}")
    for problem in bad:
        print(f"error-texts.py: {problem}")
    return bool(bad)


sys.exit(main())
