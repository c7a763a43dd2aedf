#!/usr/bin/env python3
"""Writes the dark form of each diagram, NAME~dark.svg, beside the light one.

Usage: diagrams.py [--check]
The diagrams are drawn by hand, in light colors. DocC and the landing page choose by file name, so there are two
files; they differ in the colors of their style only.
"""
import pathlib
import sys

FOLDER = pathlib.Path(__file__).resolve().parents[2] / "Sources/FieldKit/FieldKit.docc/Resources"
DARK = {
    "#1d2426": "#e9edec", "#55605f": "#a8b4b3", "#ffffff": "#1c2225", "#c9c5bb": "#4a565b", "#dcebe5": "#17352d",
    "#12644f": "#63d0ae", "#fbe9d3": "#3d2a12", "#b4630f": "#e9a45a", "#fbe3e0": "#43201c", "#b3261e": "#ff8170",
}

stale = []
for light in sorted(FOLDER.glob("*.svg")):
    if light.stem.endswith("~dark"):
        continue
    text = light.read_text()
    for before, after in DARK.items():
        text = text.replace(before, after)
    dark = light.with_name(light.stem + "~dark.svg")
    if not dark.exists() or dark.read_text() != text:
        stale.append(dark.name)
        if "--check" not in sys.argv:
            dark.write_text(text)
if "--check" in sys.argv and stale:
    sys.exit(f"diagrams: run Scripts/Generators/diagrams.py: {', '.join(stale)}")
print(f"diagrams: {len(list(FOLDER.glob('*~dark.svg')))} in light and dark")
