#!/usr/bin/env python3
"""Runs the tests one after another, and lists those that compute longest.

    Scripts/Checks/test-times.py [--top N] [TEST BINARY [OPTIONS OF THE BINARY]]

The tests must be built; the binary is .build/debug/FieldKitPackageTests.xctest by default, and an option is for
example `--filter FieldCoreTests`. CPU time is that of the process and of the programs that it has run, so the list
hardly depends on what else the machine does.
"""
import argparse
import collections
import json
import os
import subprocess
import tempfile
import time

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("--top", type=int, default=40)
parser.add_argument("binary", nargs="?", default=".build/debug/FieldKitPackageTests.xctest")
arguments, options = parser.parse_known_args()


def cpu_time(process):
    """The seconds that a process and its children have computed."""
    with open(f"/proc/{process.pid}/stat") as file:
        return sum(map(int, file.read().rpartition(")")[2].split()[11:15])) / os.sysconf("SC_CLK_TCK")


with tempfile.NamedTemporaryFile() as file, open(file.name) as events, tempfile.TemporaryFile() as log:
    start = time.monotonic()
    run = subprocess.Popen(
        [arguments.binary, "--testing-library", "swift-testing", "--no-parallel", "--event-stream-output-path",
         file.name, *options], stdout=log, stderr=subprocess.STDOUT)
    wall, cpu, cases = collections.Counter(), collections.Counter(), collections.Counter()
    test, computed, begun, rest = "", 0.0, start, ""
    while run.poll() is None:
        time.sleep(0.01)
        now = cpu_time(run)
        cpu[test] += now - computed
        computed = now
        lines = (rest + events.read()).split("\n")
        rest = lines.pop()
        for event in (json.loads(line)["payload"] for line in lines):
            kind = event.get("kind")
            cases[event.get("testID")] += kind == "testCaseStarted"
            # Suites begin and end as well; only functions have parentheses.
            if kind in ("testStarted", "testEnded") and "(" in event["testID"]:
                at = event["instant"]["absolute"]
                wall[test] += at - begun
                test, begun = event["testID"] if kind == "testStarted" else "", at
    log.seek(0)
    said = [line for line in log.read().decode(errors="replace").splitlines()
            if any(word in line for word in ("FIELDKIT_SEED", "✘", "rror: "))]

for name, seconds in cpu.most_common(arguments.top):
    print(f"{seconds:8.2f} s of CPU, {wall[name]:8.2f} s, {max(cases[name], 1):5} cases: {name or 'between the tests'}")
print(f"{len(cpu) - 1} tests, {computed:.0f} s of CPU, {time.monotonic() - start:.0f} s; exit code {run.returncode}")
if run.returncode:
    print(*said, sep="\n")
raise SystemExit(run.returncode)
