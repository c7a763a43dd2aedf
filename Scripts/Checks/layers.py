#!/usr/bin/env python3
"""Each folder of FieldCore uses only the folders below it, and a program compiles only the kits that it uses.

The folders are the modules that FieldCore could be split into.
Reads the names of the types that a folder declares and the names that its files use; extensions aren't
followed. Errors names the head of an HTTP response, which is the one exception, and a code knows its guidance, which
is an extension in Text. According to the manifest, FieldFakes and FieldTesting depend only on the modules that everything
needs, and no kit depends on another, not even indirectly.
"""

import json
import pathlib
import re
import subprocess
import sys

CORE = pathlib.Path(__file__).resolve().parents[2] / "Sources/FieldCore"
ORDER = "FieldCore Errors Time Observing Text Archives Geography Stores Transport Rows Query Sync Outbox Assets Kits".split()
EXCEPTIONS = {("Errors", "TransportResponse")}
BASE = {"FieldCore", "FieldFoundation", "FieldLibc", "FieldPrivacy"}
KITS = {"ZooKit", "MetroKit", "MeteorKit", "WalkKit", "CivicKit"}
ALLOWED = {"FieldFakes": BASE, "FieldTesting": BASE | {"FieldFakes"}}
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
dump = subprocess.run(
    ["swift", "package", "dump-package"], cwd=CORE.parents[1], check=True, stdout=subprocess.PIPE).stdout
direct = {
    target["name"]: {
        value[0] for dependency in target["dependencies"] for kind, value in dependency.items() if kind in ("byName", "target")
    }
    for target in json.loads(dump)["targets"]
}


def closure(target):
    """The targets that a target depends on, directly or indirectly."""
    waiting, found = [target], set()
    while waiting:
        new = direct.get(waiting.pop(), set()) - found
        found |= new
        waiting += new
    return found


for target, allowed in ALLOWED.items():
    bad += [f"{target} depends on {name}" for name in sorted(closure(target) - allowed)]
for kit in sorted(KITS):
    bad += [f"{kit} depends on {name}" for name in sorted(closure(kit) & KITS)]
sys.exit("\n".join(f"layers: {line}" for line in bad) or 0)
