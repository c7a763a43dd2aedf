#!/usr/bin/env python3
"""Measures what a program pays for depending on MeteorKit, on FieldKit, or on GRDB, in one run, and prints tables in
Markdown: the CPU time of builds, which depends less on the load of the machine than the time that passes, and the size of
the program. It needs about half an hour of CPU time, and the network for GRDB. Linux only.

    Scripts/adopting.py [--write] [NAME…]     some of Nothing, MeteorKit, FieldKit, GRDB; --write puts the tables into Docs/adopting.md
"""

import datetime
import json
import os
import pathlib
import platform
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[1]
PAGE = ROOT / "Docs/adopting.md"
FIELDKIT = '.package(path: "../FieldKit")'
GRDB = '.package(url: "https://github.com/groue/GRDB.swift", exact: "7.10.0")'
# The package, its identity, and a program that stores one record and finds it again.
PROGRAMS = {
    "Nothing": ("", "", 'print("nothing")\n'),
    "MeteorKit": (FIELDKIT, "FieldKit", """import MeteorKit

let rows = #"[{"id":"1","name":"Aachen","mass":"21","year":"1880-01-01T00:00:00.000"}]"#
let catalog = MeteoriteCatalog(storage: .inMemory, transport: NoTransport())
print(try Batch<Meteorite>(reading: Array(rows.utf8)).records.count)
print(try await catalog.find(MeteoriteQuery(order: .massDescending)).count)

struct NoTransport: Transport {
  func send(_ request: TransportRequest) async throws -> TransportResponse { throw CancellationError() }
}
"""),
    "FieldKit": (FIELDKIT, "FieldKit", """import FieldKit

let field = Field(storage: .inMemory, transport: URLSessionTransport())
print(try await field.meteorites.find(MeteoriteQuery(order: .massDescending)).count)
print(try await field.zoo.listing().count)
"""),
    "GRDB": (GRDB, "GRDB.swift", """import GRDB

struct Meteorite: Codable, FetchableRecord, PersistableRecord {
  var id: Int
  var name: String
  var mass: Double?
}

let database = try DatabaseQueue()
try database.write {
  try $0.create(table: "meteorite") {
    $0.primaryKey("id", .integer)
    $0.column("name", .text).notNull()
    $0.column("mass", .double)
  }
  try Meteorite(id: 1, name: "Aachen", mass: 21).insert($0)
}
print(try database.read { try Meteorite.order(Column("mass").desc).fetchAll($0).count })
"""),
}


def run(*command):
    """Runs a command, and returns its CPU time and the time that passed."""
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    done = subprocess.run(["nice", "-n", "10", *map(str, command)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    after, end = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    if done.returncode:
        sys.exit(f"{' '.join(map(str, command))} failed:\n{done.stdout[-4000:]}")
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    print(f"{cpu:7.1f} s of CPU, {end - start:6.1f} s in all: {' '.join(map(str, command[1:]))[-110:]}", file=sys.stderr, flush=True)
    return cpu, end - start


def output(*command):
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=True).stdout


def link_to_curl(libraries):
    """A linker finds libcurl as libcurl.so, which its development package installs; without that, a link stands in."""
    libraries.mkdir()
    listed = output("ldconfig", "-p")
    if "libcurl.so " not in listed and (found := re.search(r"libcurl\.so\.4 .*=> (\S+)", listed)):
        (libraries / "libcurl.so").symlink_to(found[1])


def stripped(program):
    copy = program.with_suffix(".stripped")
    subprocess.run(["strip", "-o", copy, program], check=True)
    size = copy.stat().st_size
    copy.unlink()
    return size


def measure(name, folder, libraries):
    package, identity, source = PROGRAMS[name]
    home = folder / f"{name}Program"
    (home / "Sources/Program").mkdir(parents=True)
    product = f'.product(name: "{name}", package: "{identity}")' if package else ""
    (home / "Package.swift").write_text(f"""// swift-tools-version: 6.2
import PackageDescription
let package = Package(
  name: "{name}Program", platforms: [.macOS(.v15)], dependencies: [{package}],
  targets: [.executableTarget(name: "Program", dependencies: [{product}])])
""")
    main = home / "Sources/Program/main.swift"
    main.write_text(source)
    swift = lambda *options: run("swift", "build", "--package-path", home, *options)
    run("swift", "package", "--package-path", home, "resolve")
    debug, _ = swift()
    with main.open("a") as file:
        file.write("private func changed() {}\n")
    changed, passed = swift()
    release, _ = swift("-c", "release")
    dynamic = stripped(home / ".build/release/Program")
    subprocess.run([home / ".build/release/Program"], check=True, stdout=subprocess.DEVNULL)
    # `swift build --static-swift-stdlib` would compile everything again, with the same result.
    resources = pathlib.Path(json.loads(output("swift", "-print-target-info"))["paths"]["runtimeResourcePath"])
    archives = (resources.parent / "swift_static/linux").glob("lib*.a")
    names = sorted(f"-l{path.stem[3:]}" for path in archives if not re.search("Onone|Differentiation", path.stem))
    run("swiftc", "-static-stdlib", f"-L{libraries}", "-o", home / "Static", "-emit-executable", "-Xlinker", "--gc-sections",
        "-Xlinker", "--defsym", "-Xlinker", "main=Program_main", f"@{home}/.build/release/Program.product/Objects.LinkFileList",
        "-Xlinker", "--start-group", *names, "-Xlinker", "--end-group", "-Xlinker", "--as-needed", "-lcurl")
    subprocess.run([home / "Static"], check=True, stdout=subprocess.DEVNULL)
    return debug, changed, passed, release, dynamic, stripped(home / "Static")


def table(results):
    lines = [
        ("clean debug build, CPU", 0, "{:.0f} s"),
        ("the first build after a change in the program, CPU", 1, "{:.1f} s"),
        ("the same, time passed", 2, "{:.1f} s"),
        ("clean release build, CPU", 3, "{:.0f} s"),
        ("stripped program, Swift's libraries beside it", 4, "{:.1f} MB"),
        ("stripped program, Swift's libraries in it (`--static-swift-stdlib`)", 5, "{:.1f} MB"),
    ]
    yield "| A program with | " + " | ".join(results) + " |"
    yield "|---|" + "---:|" * len(results)
    for title, index, form in lines:
        values = [result[index] / (1e6 if "MB" in form else 1) for result in results.values()]
        yield f"| {title} | " + " | ".join(map(form.format, values)) + " |"


def machine():
    model = re.search(r"model name\s*: (.*)", pathlib.Path("/proc/cpuinfo").read_text())
    swift = re.search(r"Swift version (\S+)", output("swift", "--version"))
    return (f"{datetime.date.today()}, Swift {swift[1] if swift else '?'}, {os.cpu_count()} cores of an "
            f"{model[1] if model else platform.processor()}, Linux {platform.machine()}, GRDB 7.10.0.")


def main():
    names = [name for name in sys.argv[1:] if not name.startswith("-")] or list(PROGRAMS)
    folder = pathlib.Path(tempfile.mkdtemp())
    try:
        shutil.copytree(ROOT, folder / "FieldKit", ignore=lambda _, found: [
            name for name in found if name.startswith(".") or name in ("Examples", "Adapters", "Benchmarks", "Docs", "Scripts")])
        link_to_curl(folder / "lib")
        results = {name: measure(name, folder, folder / "lib") for name in names}
    finally:
        shutil.rmtree(folder)
    text = "\n".join([machine(), "", *table(results)])
    if "--write" in sys.argv:
        page = PAGE.read_text()
        begin, end = "<!-- adopting.py -->\n", "\n<!-- end -->"
        head, rest = page.split(begin)
        PAGE.write_text(head + begin + text + end + rest.split(end)[1])
    print(text)


main()
