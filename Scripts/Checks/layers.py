#!/usr/bin/env python3
"""Each folder of FieldCore uses only the folders below it: the modules that it could be split into.

Reads the names of the types that a folder declares and the names that its files use; extensions aren't
followed. Errors names the head of an HTTP response, which is the one exception, and a code knows its guidance, which
is an extension in Text.
"""

import pathlib
import re
import sys

CORE = pathlib.Path(__file__).resolve().parents[2] / "Sources/FieldCore"
ORDER = "FieldCore Errors Time Observing Text Geography Stores Transport Rows Query Sync Outbox Assets Kits".split()
EXCEPTIONS = {("Errors", "TransportResponse")}
DECLARATION = re.compile(r"^(?:[a-z]+ |@\w+ )*(?:struct|class|enum|actor|protocol|typealias) (\w+)", re.M)


def code(path):
    text = re.sub(r"//.*", "", path.read_text())
    return re.sub(r'"(\\.|[^"\\\n])*"', '""', text)


files = [(path.relative_to(CORE.parent).parts[:-1][:2][-1], path, code(path)) for path in CORE.rglob("*.swift")]
if unknown := {folder for folder, _, _ in files} - set(ORDER):
    sys.exit(f"layers: these folders have no place in the order: {sorted(unknown)}")
home = {name: folder for folder, _, text in files for name in DECLARATION.findall(text)}
bad = [
    f"{path.relative_to(CORE)} is below {home[name]} and uses {name}"
    for folder, path, text in files
    for name in sorted(set(re.findall(r"\b[A-Z]\w+", text)))
    if name in home and ORDER.index(home[name]) > ORDER.index(folder) and (folder, name) not in EXCEPTIONS
]
sys.exit("\n".join(f"layers: {line}" for line in bad) or 0)
