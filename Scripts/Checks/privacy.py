#!/usr/bin/env python3
"""Every product brings the privacy manifest into an app, and the manifest declares each required reason API in use.

Usage: privacy.py
Reads the manifest of the package with `swift package dump-package`, and the names of Apple's required reason APIs (as
of 2025) in Sources. A name in a comment or in a string isn't counted.
"""

import json
import pathlib
import plistlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
CARRIER = "FieldPrivacy"
# Tools and tests aren't part of an app.
EXEMPT = {"FieldFakes", "FirestoreFakes", "FieldTesting"}
PLATFORMS = {"macos", "maccatalyst", "ios", "tvos", "watchos", "visionos"}
APIS = {
    "FileTimestamp": r"creationDate(Key)?|(content)?[mM]odificationDate(Key)?|contentModificationDateKey"
    r"|fileModificationDate|getattrlist(bulk|at)?|fgetattrlist|l?stat|fstat(at)?",
    "SystemBootTime": r"systemUptime|mach_absolute_time",
    "DiskSpace": r"volumeAvailableCapacity\w*|volumeTotalCapacity\w*|systemFreeSize|systemSize|f?statv?fs",
    "ActiveKeyboards": r"activeInputModes",
    "UserDefaults": r"UserDefaults",
}

def code(path):
    """Returns the Swift code of a file without comments, string literals, and branches for other platforms."""
    text = re.sub(r'""".*?"""', '""', path.read_text(), flags=re.S)
    text = re.sub(r"//.*", "", text)
    return re.sub(r'"(\\.|[^"\\\n])*"', '""', text)


def reached(target, targets):
    """Returns whether a target depends on the carrier on every Apple platform."""
    waiting, seen = [target], set()
    while waiting:
        name = waiting.pop()
        if name == CARRIER:
            return True
        if name in seen or name not in targets:
            continue
        seen.add(name)
        for dependency in targets[name]["dependencies"]:
            kind, value = next(iter(dependency.items()))
            condition = value[-1]
            names = set(condition.get("platformNames", [])) if isinstance(condition, dict) else set()
            if kind in ("byName", "target") and (not names or names >= PLATFORMS):
                waiting.append(value[0])
    return False


def main():
    dump = subprocess.run(
        ["swift", "package", "dump-package"], cwd=ROOT, check=True, stdout=subprocess.PIPE).stdout
    package = json.loads(dump)
    targets = {target["name"]: target for target in package["targets"]}
    problems = [
        f"{product['name']} doesn't bring {CARRIER} into an app"
        for product in package["products"] if product["name"] not in EXEMPT
        and not any(reached(target, targets) for target in product["targets"])
    ]
    manifest = plistlib.loads((ROOT / "Sources" / CARRIER / "PrivacyInfo.xcprivacy").read_bytes())
    declared = {
        entry["NSPrivacyAccessedAPIType"].removeprefix("NSPrivacyAccessedAPICategory")
        for entry in manifest["NSPrivacyAccessedAPITypes"]
    }
    used = {}
    for path in sorted((ROOT / "Sources").rglob("*.swift")):
        name = path.relative_to(ROOT / "Sources")
        if name.parts[0] in EXEMPT or ".docc" in str(name):
            continue
        text = code(path)
        for category, pattern in APIS.items():
            if found := re.search(rf"(?<![\w])(?:{pattern})(?!\w)", text):
                used.setdefault(category, []).append(f"{name} ({found[0]})")
    for category in sorted(used.keys() - declared):
        problems.append(f"{category} isn't declared, and is used in {', '.join(used[category])}")
    for category in sorted(declared - used.keys()):
        problems.append(f"{category} is declared and not used")
    if problems:
        sys.exit("\n".join(f"privacy: {problem}" for problem in problems))
    print(f"privacy: {', '.join(f'{key} in {len(files)} files' for key, files in sorted(used.items()))}")


main()
