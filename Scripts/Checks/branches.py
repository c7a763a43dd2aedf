#!/usr/bin/env python3
"""Docs/apple-review.md lists exactly the files with branches for platforms, and no platform is left without one.

Usage: branches.py
Reads Sources and Adapters for conditions on a platform or on a module that not every platform has. In Sources and Tests,
a chain of conditions that chooses imports ends in `#else`, and only FieldLibc imports a C library. Tests start a process,
by `Process(` or an exit test, only under a condition on macOS and Linux. In the end, planted defects of each kind must
be found.
"""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
MODULES = "Darwin|Glibc|Musl|Android|WASILibc|os|FoundationNetworking|FoundationEssentials|CFieldSQLite"
BRANCH = re.compile(rf"^\s*#(?:else)?if .*(?:canImport\((?:{MODULES})\)|\bos\()", re.M)
IMPORT = re.compile(r"^\s*(?:@\w+ )*(?:\w+ )?import (?:\w+ )?(\w+)", re.M)
C_LIBRARIES = {"Darwin", "Glibc", "Musl", "Android", "Bionic", "WASILibc", "ucrt", "CRT", "WinSDK"}
PROCESS = re.compile(r"(?<![\w.])Process\(\)|processExitsWith:")
GUARD = re.compile(r"os\((?:macOS|Linux)\)")


def unguarded(text):
    """The lines of a test that start a process where a platform may not have any."""
    conditions = []
    for number, line in enumerate(text.split("\n"), 1):
        word = line.strip()
        if word.startswith("#if "):
            conditions.append(bool(GUARD.search(word)))
        elif word.startswith(("#else", "#elseif")) and conditions:
            conditions[-1] = bool(GUARD.search(word))
        elif word.startswith("#endif") and conditions:
            conditions.pop()
        elif PROCESS.search(re.sub(r"//.*", "", line)) and not any(conditions):
            yield f"{number} starts a process outside of #if os(macOS) || os(Linux)"


def open_chains(text):
    """The lines at which a chain of conditions chooses imports and leaves the other platforms without any."""
    chains = []
    for number, line in enumerate(text.split("\n"), 1):
        word = line.strip()
        if word.startswith("#if "):
            chains.append([number, False, False, False])
        elif chains and word.startswith("#elseif "):
            chains[-1][1] = True
        elif chains and word.startswith("#else"):
            chains[-1][2] = True
        elif chains and word.startswith("#endif"):
            start, has_others, is_closed, imports = chains.pop()
            if imports and has_others and not is_closed:
                yield f"{start} begins a chain of imports without #else; end it in #error"
        elif chains and IMPORT.match(line):
            chains[-1][3] = True


def c_libraries(text):
    """The C libraries that a file imports by itself."""
    return sorted(C_LIBRARIES & set(IMPORT.findall(text)))


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
for path in sorted([*(ROOT / "Sources").rglob("*.swift"), *(ROOT / "Tests").rglob("*.swift")]):
    name, text = path.relative_to(ROOT), path.read_text()
    problems += [f"{name}:{line}" for line in open_chains(text)]
    if name.parts[1] != "FieldLibc":
        problems += [f"{name} imports {module} instead of FieldLibc" for module in c_libraries(text)]
    if name.parts[0] == "Tests":
        problems += [f"{name}:{line}" for line in unguarded(text)]
for planted, find in (
    ("#if canImport(A)\n  import A\n#elseif canImport(B)\n  import B\n#endif", open_chains),
    ("private import Glibc", c_libraries),
    ("#if canImport(Darwin)\n  let process = Process()\n#endif", unguarded),
):
    if not list(find(planted)):
        problems.append(f"{find.__name__} doesn't find a planted defect")
if problems:
    sys.exit("\n".join(f"branches: {problem}" for problem in problems))
print(f"branches: {len(names)} files with branches are listed")
