#!/usr/bin/env python3
"""Docs/apple-review.md lists exactly the files with branches for platforms, and tests start no process unguarded.

Usage: branches.py
Reads Sources and Adapters for conditions on a platform or on a module that not every platform has, and Tests for
`Process(` and exit tests outside of a condition on macOS and Linux.
"""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
BRANCH = re.compile(r"^\s*#(?:else)?if .*(?:canImport\((?:Darwin|os|FoundationNetworking|FoundationEssentials|CFieldSQLite)\)|\bos\()", re.M)
PROCESS = re.compile(r"(?<![\w.])Process\(\)|processExitsWith:")
GUARD = re.compile(r"os\((?:macOS|Linux)\)")


def unguarded(path):
    """The lines of a file that start a process where a platform may not have any."""
    conditions = []
    for number, line in enumerate(path.read_text().split("\n"), 1):
        word = line.strip()
        if word.startswith("#if "):
            conditions.append(bool(GUARD.search(word)))
        elif word.startswith(("#else", "#elseif")) and conditions:
            conditions[-1] = bool(GUARD.search(word))
        elif word.startswith("#endif") and conditions:
            conditions.pop()
        elif PROCESS.search(re.sub(r"//.*", "", line)) and not any(conditions):
            yield f"{path.relative_to(ROOT)}:{number} starts a process outside of #if os(macOS) || os(Linux)"


rows = set()
for line in (ROOT / "Docs/apple-review.md").read_text().split("\n"):
    if line.startswith("| `"):
        cell = line.split("|")[1]
        folder = ""
        for name in re.findall(r"`([^`]+)`", cell):
            folder = name.rpartition("/")[0] or folder
            rows.add(name if "/" in name or name.startswith("Adapters") else f"{folder}/{name}")
names = set()
for path in sorted((ROOT / "Sources").rglob("*.swift")):
    if ".docc" not in str(path) and BRANCH.search(path.read_text()):
        names.add(str(path.relative_to(ROOT / "Sources")))
for path in sorted((ROOT / "Adapters").glob("*/Sources/**/*.swift")):
    if BRANCH.search(path.read_text()):
        names.add(str(path.relative_to(ROOT)))
problems = [f"{name} has a branch, and Docs/apple-review.md doesn't list it" for name in sorted(names - rows)]
problems += [f"Docs/apple-review.md lists {name}, which has no branch" for name in sorted(rows - names)]
for path in sorted((ROOT / "Tests").rglob("*.swift")):
    problems += unguarded(path)
if problems:
    sys.exit("\n".join(f"branches: {problem}" for problem in problems))
print(f"branches: {len(names)} files with branches are listed")
