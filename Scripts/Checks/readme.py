#!/usr/bin/env python3
"""Builds every sample of README.md and of Docs/products.md from their own text, and runs the tests.

    SCRATCH=.build DEBUG_FLAGS="…" Scripts/Checks/readme.py

A sample is a Swift block behind a line `<!-- sample: NAME -->`. The sample `test` becomes a test target, each
other one a program, which is built but not run, because it would leave this machine. A block behind `<!-- from: FILE -->` is
compared with the file, whose indentation it may lack.
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import textwrap

ROOT = pathlib.Path(__file__).resolve().parents[2]
MANIFEST = """// swift-tools-version: 6.2
import PackageDescription

let products = ["FieldKit", "FieldCore", "MeteorKit", "FieldURLSession", "FieldTesting"].map {
  Target.Dependency.product(name: $0, package: "FieldKit")
}
let package = Package(
  name: "Readme",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "FieldKit", path: "%s")],
  targets: [%s])
"""


def main():
    text = (ROOT / "README.md").read_text() + (ROOT / "Docs/products.md").read_text()
    samples = dict(re.findall(r"^<!-- sample: (\w+) -->\n```swift\n(.*?)^```$", text, re.M | re.S))
    if not {"program", "kit", "server", "test"} <= samples.keys():
        sys.exit(f"README.md has only the samples {sorted(samples)}")
    for name, code in re.findall(r"^<!-- from: (\S+) -->\n```swift\n(.*?)^```$", text, re.M | re.S):
        if code not in textwrap.dedent(re.sub(r"^#.*$", "", (ROOT / name).read_text(), flags=re.M)):
            sys.exit(f"README.md shows code of {name} that isn't there")
    with tempfile.TemporaryDirectory() as folder:
        package, targets = pathlib.Path(folder) / "Readme", []
        for name, code in samples.items():
            kind = "testTarget" if name == "test" else "executableTarget"
            target = f"Readme{name.capitalize()}"
            used = "products" if name == "test" else "Array(products.dropLast())"
            targets.append(f'.{kind}(name: "{target}", dependencies: {used}, path: "{name}")')
            (package / name).mkdir(parents=True)
            file = "main.swift" if kind == "executableTarget" and "@main" not in code else "Sample.swift"
            (package / name / file).write_text(code)
        (package / "Package.swift").write_text(MANIFEST % (ROOT, ", ".join(targets)))
        flags = os.environ.get("DEBUG_FLAGS", "").split()
        if "SCRATCH" in os.environ:
            flags += ["--scratch-path", os.environ["SCRATCH"]]
        for command in (["build", "--build-tests"], ["test", "--skip-build", "--disable-xctest"]):
            run = ["swift", command[0], "--package-path", str(package)] + command[1:] + flags
            done = subprocess.run(run, capture_output=True, text=True)
            if done.returncode:
                sys.exit(done.stdout[-4000:] + done.stderr[-4000:])
    print(f"README: {len(samples)} samples build; {done.stdout.strip().splitlines()[-1]}")


main()
