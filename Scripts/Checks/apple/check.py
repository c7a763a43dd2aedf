#!/usr/bin/env python3
"""Type-checks the package for platforms whose SDK isn't here; ../apple.sh describes its stand-in.

Usage: check.py FOLDER HEADERS [PLATFORM…]
FOLDER keeps what was compiled, and HEADERS is the folder `lib/libc/include` of Zig. Without platforms, those of the gate are
checked, and defects are planted, which must be found.
"""

import concurrent.futures
import hashlib
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

from platforms import HERE, Failure, Platform, run

ROOT = HERE.parents[2]
# Parts of other packages that only Apple platforms compile: the modules that they depend on, and the files.
PARTS = {
    "FieldObservability": (["FieldCore"], [
        "Adapters/FieldObservability/Sources/FieldObservability/Operations.swift",
        "Adapters/FieldObservability/Sources/FieldObservability/FieldObserver+Signposts.swift"]),
    "FieldApp": (["FieldKit", "FieldFakes"], [
        "Examples/SwiftUI/Sources/FieldApp/*.swift", "Examples/SwiftUI/Sources/FieldApp/*/*.swift",
        "Scripts/Checks/apple/RecordingView.swift"]),
}
# Modules that a platform can't have: these need URLSession or Dispatch.
URL_SESSION = {"FieldURLSession", "FieldKit"}
DISPATCH = {"FieldFakes", "FieldTesting", "FirestoreFakes"}


def without_previews(files, folder):
    """Copies of files without their previews at the end, whose macro only Xcode has."""
    folder.mkdir(exist_ok=True)
    copies = []
    for file in files:
        text = file.read_text()
        start = text.find("\n  #Preview")
        copies.append(folder / file.name)
        copies[-1].write_text(text if start < 0 else text[:start] + "\n#endif\n")
    return copies


class Package:
    """The package's modules, as its manifest describes them."""

    def __init__(self, root):
        self.root = root
        text = subprocess.run(["swift", "package", "--package-path", root, "dump-package"], check=True,
                              stdout=subprocess.PIPE).stdout
        manifest = json.loads(text)
        self.platforms = {platform["platformName"]: platform["version"] for platform in manifest["platforms"]}
        self.targets = {target["name"]: target for target in manifest["targets"]}
        for name, (modules, _) in PARTS.items():
            dependencies = [{"byName": [module, None]} for module in modules]
            self.targets[name] = {"type": "regular", "dependencies": dependencies, "settings": []}

    def dependencies(self, target):
        """The names of the modules that a target depends on directly."""
        for dependency in self.targets[target]["dependencies"]:
            name = (dependency.get("byName") or dependency.get("target"))[0]
            if self.targets[name]["type"] != "system":
                yield name

    def order(self, platform):
        """The modules that a platform has, each after its dependencies."""
        without = set() if platform.is_apple else URL_SESSION | {"FieldPrivacy"} | set(PARTS)
        if platform.name != "iOS":
            without.add("FieldApp")
        if platform.clibrary == "WASILibc":
            without |= DISPATCH
        found = []

        def visit(name):
            for dependency in self.dependencies(name):
                visit(dependency)
            if name not in found and name not in without:
                found.append(name)

        for name, target in self.targets.items():
            if target["type"] == "regular" and not str(target.get("path")).startswith("Tests/") and name not in without:
                visit(name)
        return found

    def sources(self, target):
        """The source files of a module."""
        if target in PARTS:
            return sorted(file for files in PARTS[target][1] for file in self.root.glob(files))
        files = sorted((self.root / "Sources" / target).rglob("*.swift"))
        return [file for file in files if ".docc/" not in str(file)]

    def flags(self, target, platform):
        """The compiler's flags for a module."""
        found = ["-module-name", target, "-swift-version", "6", "-warnings-as-errors", "-parse-as-library", "-Onone"]
        if target not in PARTS:
            found += ["-package-name", "fieldkit"]
        if platform.is_apple:
            found += ["-D", "SQLite"]
        for setting in self.targets[target]["settings"]:
            for kind, value in setting["kind"].items():
                if kind == "enableUpcomingFeature":
                    found += ["-enable-upcoming-feature", value["_0"]]
                elif kind == "strictMemorySafety":
                    found.append("-strict-memory-safety")
        return found

    def build(self, platform):
        """Compiles the modules, up to the diagnostics on the compiler's intermediate language; returns a summary."""
        start = time.monotonic()
        platform.build()
        modules, files, keys = self.order(platform), 0, {}
        for target in modules:
            sources = self.sources(target)
            files += len(sources)
            system = platform.key
            if target == "FieldApp":
                system = platform.build_frameworks()
                sources = without_previews(sources, platform.folder / target)
            digest = hashlib.sha256(repr([system, self.flags(target, platform)]).encode())
            for part in [keys[name] for name in self.dependencies(target) if name in keys]:
                digest.update(part.encode())
            for path in sources:
                digest.update(str(path).encode() + path.read_bytes())
            keys[target] = digest.hexdigest()
            if platform.is_built(target, keys[target]):
                continue
            run(["-emit-module", *platform.options, *self.flags(target, platform), *sources,
                 "-o", platform.modules / f"{target}.swiftmodule"])
            platform.note(target, keys[target])
        return (f"apple: {platform.name}, {platform.triple}: {len(modules)} modules with {files:,} files compile"
                f" ({time.monotonic() - start:.0f} s)")

    def find(self, defect, platform, folder):
        """Whether the compiler finds a defect in a copy of a file."""
        path = self.root / "Sources" / defect.file
        text = path.read_text()
        if text.count(defect.old) != 1:
            raise Failure(f"there is no place for a defect in {defect.file}: {defect.old}")
        copy = folder / path.name
        copy.write_text(text.replace(defect.old, defect.new))
        target = defect.file.split("/")[0]
        others = [file for file in self.sources(target) if file != path]
        action = ["-emit-module", "-o", folder / "module", copy] if defect.is_in_sil else ["-typecheck", "-primary-file", copy]
        try:
            run([*action, *platform.options, *self.flags(target, platform), *others])
        except Failure as failure:
            return any(defect.message in line for line in failure.lines())
        return False


class Defect:
    """A change of a file that the compiler must complain about, and its message."""

    def __init__(self, file, old, new, message, platform="macOS", is_in_sil=False):
        self.file, self.old, self.new, self.message = file, old, new, message
        self.platform, self.is_in_sil = platform, is_in_sil


DEFECTS = [
    Defect("FieldURLSession/SessionDelegate.swift", "willPerformHTTPRedirection response", "willPerformRedirection response",
           "nearly matches defaulted requirement"),
    Defect("FieldLibc/FieldLibc.swift", "      st_mtimespec\n", "      st_mtim\n", "cannot find 'st_mtim' in scope"),
    Defect("FieldCore/Stores/Files/PosixFileSystem.swift", "descriptor, F_FULLFSYNC)", "descriptor, F_FULLSYNC)",
           "cannot find 'F_FULLSYNC' in scope"),
    Defect("FieldCore/Stores/Files/PosixFileSystem+Placement.swift", "values.isExcludedFromBackup =",
           "values.isExcludedFromBackups =", "has no member 'isExcludedFromBackups'"),
    Defect("FieldLibc/FieldLibc.swift", "extension dirent {", "func planted(_ bytes: [UInt8]) -> Int { bytes.span.count }\n\n"
           "extension dirent {", "'span' is only available in macOS 26.0 or newer"),
    Defect("FieldURLSession/URLSessionTransport.swift", "let queue: OperationQueue? = nil",
           "let queue: OperationQueue? = ImmediateQueue()", "cannot find 'ImmediateQueue' in scope"),
    Defect("FieldCore/Lock.swift", "private let mutex: Mutex<State>\n", "private let mutex: Mutex<State>\n    var count = 0\n",
           "stored property 'count' of 'Sendable'-conforming generic class 'Lock' is mutable"),
    # What only the diagnostics on the intermediate language find, and only where an Int has 32 bits.
    Defect("FieldLibc/FieldLibc.swift", "extension dirent {", "func planted() -> Int { 3_155_760_000 }\n\nextension dirent {",
           "integer literal '3155760000' overflows when stored into 'Int'", "watchOS", True),
]


def main():
    folder, headers, chosen = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]), sys.argv[3:]
    package = Package(ROOT)
    versions = package.platforms
    darwin, wasi = ["any-darwin-any"], ["generic-musl", "wasm-wasi-musl"]
    musl = ["any-linux-any", "x86-linux-any", "generic-musl", "x86_64-linux-musl"]
    platforms = {
        name: Platform(name, triple, clibrary, [headers / name for name in parts], folder / name)
        for name, triple, clibrary, parts in (
            ("macOS", f"arm64-apple-macosx{versions['macos']}", "Darwin", darwin),
            ("watchOS", f"arm64_32-apple-watchos{versions['watchos']}", "Darwin", darwin),
            ("iOS", f"arm64-apple-ios{versions['ios']}", "Darwin", darwin),
            ("musl", "x86_64-swift-linux-musl", "Musl", musl),
            ("WASI", "wasm32-unknown-wasip1", "WASILibc", wasi),
            ("tvOS", f"arm64-apple-tvos{versions['tvos']}", "Darwin", darwin),
        )
        if name in (chosen or ["macOS", "watchOS", "iOS", "musl", "WASI"])
    }
    problems = []
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for name, result in [(name, pool.submit(package.build, platform)) for name, platform in platforms.items()]:
            try:
                print(result.result(), flush=True)
            except Failure as failure:
                problems += [f"{name}: {line.replace(f'{ROOT}/', '')}" for line in failure.lines()]
        if not problems and not chosen:
            with tempfile.TemporaryDirectory() as scratch:
                tries = []
                for number, defect in enumerate(DEFECTS):
                    place = pathlib.Path(scratch) / str(number)
                    place.mkdir()
                    tries.append((defect, pool.submit(package.find, defect, platforms[defect.platform], place)))
                problems += [f"a planted defect isn't found: {defect.new.strip()}" for defect, found in tries
                             if not found.result()]
            if not problems:
                print(f"apple: {len(DEFECTS)} planted defects are found")
    if problems:
        sys.exit("\n".join(f"apple: {problem}" for problem in problems))


main()
