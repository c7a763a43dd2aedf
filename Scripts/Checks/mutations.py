#!/usr/bin/env python3
"""Breaks one expression at a time, and reports which of these mutations no test notices.

    Scripts/Checks/mutations.py [--build DIRECTORY] [--only REGEX] [--quick] [--jobs N] [--timeout SECONDS]

Every mutation of Scripts/Checks/mutations/*.txt is compiled into one build of a copy of the package, in which
`a < b` reads `(Mutation.on(17) ? (a <= b) : (a < b))`; the environment variable FIELDKIT_MUTATION selects one.
The package itself is never changed. Each line of a list has three or four fields, separated by tabs:

    file    a fragment of one line, with the expression between ⟦ and ⟧    its replacement    [tests]

Without ⟦ and ⟧, the whole fragment is the expression. The fragment must occur once in the file; a part of the line
before it, followed by ⏎, may say which of several is meant. The tests are
a regular expression for `--filter`; by default they are those of the folder of the same name, such as
Tests/FieldCoreTests/Rows, and for what survives those, all of the module. Lines that begin with # are comments.
Mutations that don't compile are left out and listed. The tests that failed first are named. Every run tries the
same samples, those of FIELDKIT_SEED, which is 1 unless it is set, so that scores can be compared. The exit status is 1
if a mutation survives, or if one has no effect because its fragment doesn't occur exactly once or overlaps another.
"""
import argparse
import collections
import concurrent.futures
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
VARIABLE = "FIELDKIT_MUTATION"
SWITCH = f'''
/// Which of the mutations is in effect; only copies of the package that are made to be broken have this.
public enum Mutation {{
  private static let current = ProcessInfo.processInfo.environment["{VARIABLE}"].flatMap {{ Int($0) }} ?? 0
  public static func on(_ number: Int) -> Bool {{ number == current }}
}}
'''


class Mutation:
    def __init__(self, number, place, fields):
        if not 3 <= len(fields) <= 4:
            sys.exit(f"{place}: three or four fields are needed, separated by tabs")
        self.number, self.place = number, place
        self.file, self.fragment, self.replacement = fields[:3]
        self.module = self.file.split("/")[1]
        self.tests = [fields[3]] if len(fields) == 4 else self.default_tests()
        self.before, _, line = self.fragment.rpartition("⏎")
        head, bracket, rest = line.partition("⟦")
        expression, _, tail = rest.partition("⟧")
        self.head, self.tail = (head, tail) if bracket else ("", "")
        self.expression = expression if bracket else line
        self.result = None

    def default_tests(self):
        """The tests of the folder of the same name, and then all of the module."""
        module = f"{self.module}Tests"
        folder = ROOT / "Tests" / module / self.file.split("/")[2]
        names = sorted(path.stem for path in folder.rglob("*.swift")) if folder.is_dir() else []
        narrow = [rf"{module}\..*/({'|'.join(map(re.escape, names))})\.swift:"] if names else []
        return narrow + [rf"^{module}\."]

    def text(self):
        return f"{self.file}: {self.expression} → {self.replacement}"


def read_lists(folder):
    mutations = []
    for path in sorted(folder.glob("*.txt")):
        for number, line in enumerate(path.read_text().splitlines(), 1):
            if line.strip() and not line.startswith("#"):
                fields = [field for field in re.split(r"\t+", line.rstrip())]
                mutations.append(Mutation(len(mutations) + 1, f"{path.name}:{number}", fields))
    return mutations


def copy_package(target):
    """Copies what git knows of, changes included; keeps the time of files that are the same."""
    names = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"], cwd=ROOT,
        check=True, capture_output=True, text=True).stdout.split("\0")
    known = set()
    for name in filter(None, names):
        source, copy = ROOT / name, target / name
        if not source.is_file() or source.is_symlink():
            continue
        known.add(copy)
        if name.startswith("Sources/") and name.endswith(".swift"):
            continue  # written by `rewrite`
        copy.parent.mkdir(parents=True, exist_ok=True)
        if not copy.exists() or copy.read_bytes() != source.read_bytes():
            shutil.copy2(source, copy)
    for top in ("Sources", "Tests"):
        for copy in (target / top).rglob("*.swift"):
            if copy not in known:
                copy.unlink()
    return [name for name in names if name.startswith("Sources/") and name.endswith(".swift")]


def rewrite(target, sources, mutations):
    by_file = collections.defaultdict(list)
    for mutation in mutations:
        by_file[mutation.file].append(mutation)
    for file in by_file.keys() - set(sources):
        sys.exit(f"{by_file[file][0].place}: there is no {file}")
    for name in sources:
        text = (ROOT / name).read_text()
        lines, taken = text.split("\n"), {}
        for mutation in by_file[name]:
            whole = mutation.head + mutation.expression + mutation.tail
            found = [
                index for index, line in enumerate(lines) if whole in line and mutation.before in lines[max(0, index - 1)]]
            original = sum(lines[index].count(whole) for index in found)
            if mutation.result:
                continue
            if original != 1:
                mutation.result = f"the fragment occurs {original} times within a line"
            else:
                start = lines[found[0]].index(whole) + len(mutation.head)
                taken.setdefault(found[0], []).append((start, mutation))
        for line, changes in taken.items():
            for start, mutation in sorted(changes, key=lambda change: -change[0]):
                end = start + len(mutation.expression)
                if any(start < other < end for other, _ in changes):
                    mutation.result = "another mutation is inside"
                    continue
                # Of several on one expression each is another branch.
                same = [other for place, other in changes if place == start]
                if mutation is not same[0]:
                    continue
                text_of = mutation.expression
                for other in same:
                    if other.expression == mutation.expression:
                        text_of = f"(Mutation.on({other.number}) ? ({other.replacement}) : ({text_of}))"
                    else:
                        other.result = "another mutation overlaps"
                lines[line] = lines[line][:start] + text_of + lines[line][end:]
        text = "\n".join(lines)
        if taken and "import FieldFoundation" not in text:
            text = "internal import FieldFoundation\n" + text
        if name == "Sources/FieldFoundation/FieldFoundation.swift" or (
                name.startswith("Sources/FieldFoundation/") and "_exported" in text):
            text += SWITCH
        copy = target / name
        copy.parent.mkdir(parents=True, exist_ok=True)
        if not copy.exists() or copy.read_text() != text:
            copy.write_text(text)


def build(target, mutations):
    """Builds; mutations on lines with errors are left out of the next attempt."""
    command = [
        "swift", "build", "--product", "FieldKitPackageTests",
        "-debug-info-format", "none"]
    # Known from an earlier run, so that the same files are written again.
    left_out = target / "mutations-left-out.txt"
    known = set(left_out.read_text().splitlines()) if left_out.exists() else set()
    for mutation in mutations:
        if mutation.text() in known:
            mutation.result = "does not compile"
    for _ in range(20):
        rewrite(target, copy_package(target), mutations)
        done = subprocess.run(command, cwd=target, capture_output=True, text=True)
        if done.returncode == 0:
            return
        numbers = set()
        for file, line in re.findall(r"^(/\S+\.swift):(\d+):\d+: error:", done.stdout, re.M):
            text = pathlib.Path(file).read_text().split("\n")[int(line) - 1]
            numbers |= {int(number) for number in re.findall(r"Mutation\.on\((\d+)\)", text)}
        if not numbers:
            sys.exit(done.stdout[-6000:] + done.stderr[-2000:])
        for mutation in mutations:
            if mutation.number in numbers:
                mutation.result = "does not compile"
                with left_out.open("a") as file:
                    file.write(mutation.text() + "\n")
                print("does not compile:", mutation.place, mutation.text(), flush=True)
    sys.exit("the copy does not build")


def run_tests(target, tests, number, timeout):
    """How a run of tests ends: `killed`, `survived`, or `timeout`; and how many tests were run."""
    bundle = next((target / ".build/debug").glob("*.xctest"))
    environment = {"FIELDKIT_SEED": "1", **os.environ, VARIABLE: str(number)}
    command = ["nice", "-n", "15", str(bundle), "--testing-library", "swift-testing", "--filter", tests]
    process = subprocess.Popen(
        command, cwd=target, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        text=True, errors="replace", start_new_session=True)
    try:
        output, _ = process.communicate(timeout=timeout)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, 9)
        process.communicate()
        return "timeout", 0, ""
    count = re.findall(r"run with (\d+) tests?", output)
    return ("survived" if process.returncode == 0 else "killed"), int(count[-1]) if count else 0, output


def killers(output):
    """The tests that failed first, three at most; a crash ends the output without any."""
    names = re.findall(r"^✘ Test (?!run with)(.+?) (?:with .*)?(?:recorded an issue|failed after)", output, re.M)
    return list(dict.fromkeys(names))[:3]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--build", type=pathlib.Path, help="where the copy is, or is to be")
    parser.add_argument("--only", default="", help="the mutations whose place or text matches")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--timeout", type=float, default=300)
    parser.add_argument("--quick", action="store_true", help="don't run all of a module for survivors")
    parser.add_argument("--no-run", action="store_true", help="only build")
    options = parser.parse_args()
    target = options.build or pathlib.Path(tempfile.mkdtemp(prefix="fieldkit-mutations-"))
    target.mkdir(parents=True, exist_ok=True)
    print("The copy is in", target, flush=True)
    mutations = read_lists(ROOT / "Scripts/Checks/mutations")
    build(target, mutations)
    misplaced = [mutation for mutation in mutations if mutation.result not in (None, "does not compile")]
    for mutation in misplaced:
        print(f"{mutation.result}: {mutation.place} {mutation.text()}", flush=True)
    if options.no_run:
        sys.exit(bool(misplaced))
    chosen = [
        mutation for mutation in mutations
        if not mutation.result and re.search(options.only, f"{mutation.place} {mutation.text()}")]
    if options.quick:
        for mutation in chosen:
            del mutation.tests[1:]
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        # Without a mutation all of these tests pass, and there are some.
        sets = sorted({tests for mutation in chosen for tests in mutation.tests})
        for tests, (result, count, output) in zip(
                sets, pool.map(lambda tests: run_tests(target, tests, 0, 1_800), sets)):
            if result != "survived" or not count:
                print(output[-3000:])
                sys.exit(f"without a mutation, {count} tests of {tests} ran: {result}")

        def run(mutation):
            for tests in mutation.tests:
                mutation.result, _, output = run_tests(
                    target, tests, mutation.number, options.timeout)
                if mutation.result != "survived":
                    break
            line = f"{mutation.result:9} {mutation.place} {mutation.text()}"
            print("\n".join([line] + [f"          by {name}" for name in killers(output)]), flush=True)

        list(pool.map(run, chosen))
    table = collections.Counter((mutation.module, mutation.result) for mutation in chosen)
    columns = ["killed", "timeout", "survived"]
    print(f"\n{'module':14}" + "".join(f"{column:>10}" for column in columns))
    for module in sorted({mutation.module for mutation in chosen}):
        print(f"{module:14}" + "".join(f"{table[module, column]:>10}" for column in columns))
    for mutation in mutations:
        if mutation.result not in ("killed", "timeout", None):
            print(f"{mutation.result}: {mutation.place} {mutation.text()}")
    sys.exit(bool(misplaced) or any(mutation.result == "survived" for mutation in chosen))


if __name__ == "__main__":
    main()
