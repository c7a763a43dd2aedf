#!/usr/bin/env python3
"""Every symbol of the standard library and of Foundation that Sources use exists on the oldest supported platforms.

    Scripts/Checks/availability.py [--store INDEX_STORE] [--root PACKAGE] [--list]

The Linux compiler checks no availability for Apple platforms, so this script does: it reads from the index of the last
debug build which symbols each file refers to, with the toolchain's libIndexStore, and compares their availability,
according to the toolchain's symbol graphs, with the platforms in Package.swift. --list prints how many symbols were
found for each version of macOS.

What it can't see: branches that Linux doesn't compile, symbols of C libraries, and symbols of Foundation that the
open-source Foundation declares without availability. #available isn't taken into account; Sources don't use it.
"""

import argparse
import collections
import ctypes
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
MODULES = """
Swift _Concurrency _StringProcessing RegexBuilder Synchronization Observation FoundationEssentials
FoundationInternationalization Foundation
""".split()
# Symbols that are newer than the oldest platform, and the reason why that is right.
EXCEPTIONS = {}


class Ref(ctypes.Structure):
    """A string of libIndexStore, which isn't terminated by a zero."""

    _fields_ = [("data", ctypes.c_void_p), ("length", ctypes.c_size_t)]

    def __str__(self):
        return ctypes.string_at(self.data, self.length).decode() if self.length else ""


APPLIER = ctypes.CFUNCTYPE(ctypes.c_bool, ctypes.c_void_p, ctypes.c_void_p)
RECORD = 2
DEFINITIONS = 0b11  # the roles of a declaration and of a definition


class IndexStore:
    """The index store of a build, read with the toolchain's library."""

    def __init__(self, library, path):
        self.library = ctypes.CDLL(str(library))
        self.path = path
        pointer = ctypes.c_void_p
        for name, result, arguments in [
            ("store_create", pointer, [ctypes.c_char_p, pointer]),
            ("unit_reader_create", pointer, [pointer, ctypes.c_char_p, pointer]),
            ("unit_reader_dispose", None, [pointer]),
            ("unit_reader_get_main_file", Ref, [pointer]),
            ("unit_reader_dependencies_apply_f", ctypes.c_bool, [pointer, pointer, APPLIER]),
            ("unit_dependency_get_kind", ctypes.c_int, [pointer]),
            ("unit_dependency_get_name", Ref, [pointer]),
            ("record_reader_create", pointer, [pointer, ctypes.c_char_p, pointer]),
            ("record_reader_dispose", None, [pointer]),
            ("record_reader_occurrences_apply_f", ctypes.c_bool, [pointer, pointer, APPLIER]),
            ("occurrence_get_symbol", pointer, [pointer]),
            ("occurrence_get_roles", ctypes.c_uint64, [pointer]),
            ("occurrence_get_line_col", None, [pointer] + 2 * [ctypes.POINTER(ctypes.c_uint)]),
            ("symbol_get_usr", Ref, [pointer]),
        ]:
            function = getattr(self.library, f"indexstore_{name}")
            function.restype, function.argtypes = result, arguments
            setattr(self, name, function)
        self.store = self.store_create(str(path).encode(), None)
        if not self.store:
            sys.exit(f"availability: there is no index store at {path}; build for debug first")

    def units(self):
        """Returns the newest unit of each source file, as a dictionary of names."""
        newest = {}
        for unit in sorted((self.path / "v5/units").iterdir(), key=lambda unit: unit.stat().st_mtime):
            reader = self.unit_reader_create(self.store, unit.name.encode(), None)
            if reader:
                newest[str(self.unit_reader_get_main_file(reader))] = unit.name
                self.unit_reader_dispose(reader)
        return newest

    def records(self, unit):
        """Returns the names of a unit's records."""
        names = []
        reader = self.unit_reader_create(self.store, unit.encode(), None)

        def visit(_, dependency):
            if self.unit_dependency_get_kind(dependency) == RECORD:
                names.append(str(self.unit_dependency_get_name(dependency)))
            return True

        self.unit_reader_dependencies_apply_f(reader, None, APPLIER(visit))
        self.unit_reader_dispose(reader)
        return names

    def references(self, record):
        """Returns the USR and the line of each reference in a record."""
        found = []
        reader = self.record_reader_create(self.store, record.encode(), None)
        if not reader:
            return found
        line, column = ctypes.c_uint(), ctypes.c_uint()

        def visit(_, occurrence):
            if not self.occurrence_get_roles(occurrence) & DEFINITIONS:
                self.occurrence_get_line_col(occurrence, line, column)
                usr = str(self.symbol_get_usr(self.occurrence_get_symbol(occurrence)))
                found.append((usr, line.value))
            return True

        self.record_reader_occurrences_apply_f(reader, None, APPLIER(visit))
        self.record_reader_dispose(reader)
        return found


def platforms(root):
    """Returns the oldest version of each platform, according to the package's manifest."""
    text = (root / "Package.swift").read_text()
    block = re.search(r"platforms: \[(.*?)\]", text, re.S)[1]
    found = re.findall(r"\.(\w+)\(\.v(\d+)(?:_(\d+))?\)", block)
    return {name: (int(major), int(minor or 0)) for name, major, minor in found}


def toolchain():
    """Returns the folder with the toolchain's `bin` and `lib`."""
    return pathlib.Path(shutil.which("swiftc")).resolve().parents[1]


def availability(folder):
    """Returns the name of each symbol and the versions that introduced it, by USR."""
    target = json.loads(
        subprocess.run(["swiftc", "-print-target-info"], check=True, stdout=subprocess.PIPE).stdout)
    for module in MODULES:
        subprocess.run(
            ["swift-symbolgraph-extract", "-module-name", module, "-output-dir", folder, "-target",
             target["target"]["triple"], "-minimum-access-level", "public", "-skip-synthesized-members"],
            check=True, stdout=subprocess.DEVNULL)
    symbols = {}
    for graph in sorted(pathlib.Path(folder).glob("*.symbols.json")):
        for symbol in json.loads(graph.read_text())["symbols"]:
            versions = {
                entry["domain"]: (entry["introduced"]["major"], entry["introduced"].get("minor", 0))
                for entry in symbol.get("availability", []) if "introduced" in entry and "domain" in entry
            }
            name = graph.name.split(".")[0].split("@")[0] + "." + ".".join(symbol["pathComponents"])
            symbols[symbol["identifier"]["precise"]] = (name, versions)
    return symbols


def main():
    parser = argparse.ArgumentParser(description="Checks the availability of what Sources use.")
    parser.add_argument("--root", type=pathlib.Path, default=ROOT)
    parser.add_argument("--store", type=pathlib.Path)
    parser.add_argument("--list", action="store_true")
    options = parser.parse_args()
    floor = platforms(options.root)
    library = toolchain() / ("lib/libIndexStore.dylib" if sys.platform == "darwin" else "lib/libIndexStore.so")
    index = IndexStore(library, options.store or options.root / ".build/debug/index/store")
    with tempfile.TemporaryDirectory() as folder:
        symbols = availability(folder)

    sources = options.root / "Sources"
    files = {path.relative_to(sources) for path in sources.rglob("*.swift") if ".docc" not in str(path)}
    seen, used, places = set(), collections.Counter(), collections.defaultdict(set)
    for file, unit in index.units().items():
        if not file.startswith(f"{sources}/"):
            continue
        name = pathlib.Path(file).relative_to(sources)
        if name not in files:
            continue  # a file that was removed since
        seen.add(name)
        for record in index.records(unit):
            for usr, line in index.references(record):
                if usr in symbols:
                    used[usr] += 1
                    places[usr].add(f"Sources/{name}:{line}")

    # A file without any code has no record, but most files must have been seen, or the check proves nothing.
    if len(seen) < 0.9 * len(files) or len(used) < 200:
        sys.exit(f"availability: the index has {len(seen)} of {len(files)} files and {len(used)} symbols; build first")
    if options.list:
        versions = collections.Counter(symbols[usr][1].get("macOS", (0, 0)) for usr in used)
        for version, count in sorted(versions.items()):
            print(f"macOS {version[0]}.{version[1]}: {count} symbols" if version[0] else f"any macOS: {count} symbols")
    problems = []
    for usr in sorted(used, key=lambda usr: symbols[usr][0]):
        name, versions = symbols[usr]
        late = [
            f"{platform} {versions[platform][0]}.{versions[platform][1]}"
            for platform, oldest in floor.items() if versions.get(platform, (0, 0)) > oldest
        ]
        if late and name not in EXCEPTIONS:
            problems.append(f"{name} needs {', '.join(late)}: {', '.join(sorted(places[usr])[:3])}")
    if problems:
        sys.exit("\n".join(f"availability: {problem}" for problem in problems))
    print(f"availability: {len(used)} symbols in {len(seen)} files exist on all platforms")


main()
