#!/usr/bin/env python3
"""Nothing in Sources needs an `Int` of more than 32 bits, as watchOS has on its devices.

Usage: int-width.py [BUILD]
Reads the compiler's typed tree of each file that may contain such a thing according to its text, against the modules of
a debug build (.build/debug). A literal that doesn't fit, and an `Int` that is shifted by 31 bits or more, fail. A
conversion that traps or loses bits where `Int` has 32 needs an entry in int-width-kept.txt, unless a mask bounds it. In
the end, planted defects of each kind must be found.
"""

import concurrent.futures
import fnmatch
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
MODULES = (
    "FieldLibc FieldCore FieldPortals FieldXML FieldFirestore ZooKit MetroKit MeteorKit WalkKit CivicKit WalkFirestore"
    " FieldURLSession FieldTransit FieldKit FieldFakes FieldTesting FirestoreFakes").split()
FEATURES = (
    "ExistentialAny InternalImportsByDefault MemberImportVisibility InferIsolatedConformances"
    " NonisolatedNonsendingByDefault ImmutableWeakCaptures").split()
# What a file contains that needs the compiler's judgment: long literals, long shifts, and conversions.
CANDIDATE = re.compile(
    r"\b[1-9][0-9_]{9,}|\b0x[0-9A-Fa-f_]{8,}|\b0[bo][0-7_]{11,}|(?:<<|>>)=?\s*(?:3[1-9]|[4-9]\d|\d{3,})\b"
    r"|(?<![\w.])U?Int(?:\.init)?\b\s*[({]|\bU?Int\.init\b|(?<![\w)\]>}?])\.init\(|truncatingIfNeeded")
PLACE = r"location=(\S+?):(\d+):(\d+) .*?"
LITERAL = re.compile(
    PLACE + r'(negative )?value="(-?\d+)" builtin_initializer="Swift\.\(file\)\.(U?Int)\.init')
OPERATOR = re.compile(
    PLACE + r'decl="Swift\.\(file\)\.(\w+)(?: extension)?\.(&?<<=?|&?>>=?)(?: \[with .*?> Self -> (\w+).*)?"')
CONVERSION = re.compile(
    PLACE + r'decl="Swift\.\(file\)\.(\w+)(?: extension)?\.init\((_|truncatingIfNeeded):\)'
    r'(?: \[with \(substitution_map generic_signature=<[^>]*> (.*?)\)\])?"')
FITS = {
    "Int": {"Int", "Int8", "Int16", "Int32", "UInt8", "UInt16"},
    "UInt": {"UInt", "UInt8", "UInt16", "UInt32"},
}
WIDE = re.compile(r"(U?Int(32|64|128)|Double|Float\d*|\w*off_t|time_t)$")
MASKED = re.compile(r"& (0x[0-9A-Fa-f_]+|[0-9_]+)\)*[\])]")
PLANTED = """
let literal = 3_000_000_000
func shift(_ a: Int) -> Int { a << 32 }
func narrow(_ a: Int64) -> Int { Int(a) }
func cut(_ a: UInt64) -> Int { Int(truncatingIfNeeded: a) }
func number(_ a: Double) -> Int { Int(a) }
func fine(_ a: UInt64) -> Int { Int(a & 0xFF) + Int(exactly: a)! + 1 << 20 }
"""


def findings(module, files, build):
    """What needs more than 32 bits: (file, line, column) and a kind, each once."""
    primaries = [file for file in files if CANDIDATE.search((ROOT / file).read_text())]
    others = sorted(set(files) - set(primaries))
    command = ["swiftc", "-frontend", "-dump-ast", "-parse-as-library", "-enable-testing", "-swift-version", "6", "-DDEBUG",
               "-DSWIFT_PACKAGE", "-package-name", re.sub(r"\W", "_", ROOT.name.lower()), "-module-name", module,
               "-I", build / "Modules"]
    for feature in FEATURES:
        command += ["-enable-upcoming-feature", feature]
    plugins = pathlib.Path(subprocess.check_output(["which", "swiftc"], text=True).strip()).resolve().parents[1]
    command += ["-plugin-path", plugins / "lib/swift/host/plugins", *others]
    found = {}
    with tempfile.TemporaryDirectory() as folder:
        # Some files at a time, because the trees are large.
        for start in range(0, len(primaries), 40):
            part = primaries[start:start + 40]
            outputs = [f"{folder}/{number}" for number in range(len(part))]
            arguments = [argument for file in part for argument in ("-primary-file", file)]
            arguments += [file for file in primaries if file not in part]
            arguments += [argument for output in outputs for argument in ("-o", output)]
            result = subprocess.run([*command, *arguments], cwd=ROOT, capture_output=True, text=True, errors="replace")
            if result.returncode != 0:
                sys.exit(f"int-width: {module} has no tree\n{result.stderr[:2000]}")
            for file, output in zip(part, outputs):
                with open(output, errors="replace") as lines:
                    if not lines.readline().startswith("(source_file"):
                        sys.exit(f"int-width: {file} has no tree")
                    for line in lines:
                        read(line, found)
    return found


def read(line, found):
    """Adds what a line of a tree says."""
    if "integer_literal_expr" in line:
        if match := LITERAL.search(line):
            file, row, column, negative, value, kind = match.groups()
            if int(value) > (2**31 - 1 if kind == "Int" else 2**32 - 1) or int(value) < -(2**31):
                found[file, int(row), int(column)] = f"the literal {value}"
    elif "declref_expr" not in line or "Swift.(file)" not in line:
        return
    elif match := CONVERSION.search(line):
        file, row, column, owner, label, generic = match.groups()
        types = dict(re.findall(r"(\w+) -> ([^ ,)]+)", generic or ""))
        to = types.get("Self", owner)
        direct = re.search(r'type="\(\w+\.Type\) -> \((.*?)\) -> ', line)
        source = types.get("T") or types.get("Other") or types.get("Source") or (direct[1] if direct else "")
        if to in FITS and source not in FITS[to] and WIDE.match(source):
            found[file, int(row), int(column)] = f"{source} -> {to}"
    elif match := OPERATOR.search(line):
        file, row, column, owner, sign, generic = match.groups()
        if (generic or owner) in FITS:
            found.setdefault((file, int(row), int(column)), f"shift {sign}")


def judged(found):
    """The findings that the text of their line doesn't explain."""
    for (file, row, column), kind in sorted(found.items()):
        line = (ROOT / file).read_text().split("\n")[row - 1]
        rest = line.encode()[column - 1:].decode(errors="replace")
        if kind.startswith("shift"):
            amount = re.match(re.escape(kind.split()[1]) + r"\s*([0-9_]+)", rest)
            if not amount or int(amount[1]) < 31:
                continue
        elif "->" in kind and (mask := MASKED.search(rest)) and int(mask[1].replace("_", ""), 0) < 2**31:
            continue
        yield file, row, kind, line.strip()


def main():
    build = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ROOT / ".build/debug").resolve()
    kept = []
    for entry in (pathlib.Path(__file__).with_name("int-width-kept.txt")).read_text().split("\n"):
        if entry and not entry.startswith("#"):
            pattern, kind, reason = (part.strip() for part in entry.split("|"))
            kept.append([pattern, kind, reason, 0])
    sources = {
        module: sorted(
            str(path.relative_to(ROOT)) for path in (ROOT / "Sources" / module).rglob("*.swift")
            if ".docc" not in str(path))
        for module in MODULES
    }
    problems, count = [], 0
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for found in pool.map(lambda module: findings(module, sources[module], build), MODULES):
            for file, row, kind, line in judged(found):
                name = file.removeprefix("Sources/")
                entry = next((e for e in kept if fnmatch.fnmatch(name, e[0]) and e[1] == kind), None)
                if entry:
                    entry[3] += 1
                    count += 1
                else:
                    problems.append(f"{file}:{row}: {kind}: {line}")
    problems += [f"the entry {e[0]} | {e[1]} isn't needed" for e in kept if not e[3]]
    with tempfile.TemporaryDirectory() as folder:
        planted = pathlib.Path(folder) / "Planted.swift"
        planted.write_text(PLANTED)
        rows = [row for _, row, _, _ in judged(findings("Planted", [str(planted)], build))]
        if rows != [2, 3, 4, 5, 6]:
            problems.append(f"of the planted defects in the lines 2 to 6, those in {rows} were found")
    if problems:
        sys.exit("\n".join(f"int-width: {problem}" for problem in problems))
    print(f"int-width: {sum(map(len, sources.values()))} files, {count} conversions that are bounded otherwise")


main()
