#!/usr/bin/env python3
"""Docs/public-api.md lists each public protocol: at most 21 to conform to, and those that only the package implements."""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
MOST = 21

page = (ROOT / "Docs/public-api.md").read_text()
listed = re.findall(r"^\| `(\w+)` \|", page, re.M)
implemented = re.search(r"The package alone implements (.*?)\.", page, re.S)
others = re.findall(r"`(\w+)`", implemented[1]) if implemented else []
declared = {
    name
    for path in (ROOT / "Sources").rglob("*.swift")
    for name in re.findall(r"^ *public protocol (\w+)", path.read_text(), re.M)
}
bad = [f"{name} isn't listed" for name in sorted(declared - {*listed, *others})]
bad += [f"{name} is listed, but isn't a public protocol" for name in sorted({*listed, *others} - declared)]
bad += [f"{name} is listed twice" for name in sorted({name for name in declared if (listed + others).count(name) > 1})]
if len(listed) > MOST:
    bad.append(f"there are {len(listed)} protocols to conform to, more than {MOST}")
for line in bad:
    print(f"protocols: Docs/public-api.md: {line}")
sys.exit(bool(bad))
