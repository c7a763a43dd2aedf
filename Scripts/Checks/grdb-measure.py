#!/usr/bin/env python3
"""Compares a sync into a table with a plain loop of GRDB's inserts, in one run.

    Scripts/Checks/grdb-measure.py TOOL [ROWS [ROUNDS]]

TOOL is SyncTool of Adapters/FieldGRDB, built for release. Prints the least processor time and the largest resident memory of each, in
processes that take turns, and fails if the sync takes more than 1.3 times the processor time, or more than 60 MB. Defaults to a million rows.
"""
import os
import pathlib
import sqlite3
import subprocess
import sys
import tempfile

LARGEST_RATIO, MOST_MEGABYTES = 1.3, 60
tool, rows = sys.argv[1], int((sys.argv[2:] or [1_000_000])[0])
rounds = int((sys.argv[3:] or [3])[0])
times, memory = {}, {}
with tempfile.TemporaryDirectory() as folder:
    for turn in range(rounds):
        for kind in ("plain", "sync"):
            path = pathlib.Path(folder) / f"{kind}{turn}.sqlite"
            process = subprocess.Popen([tool, kind, str(path), str(rows)], stdout=subprocess.DEVNULL)
            _, status, usage = os.wait4(process.pid, 0)
            assert status == 0, f"{kind} failed"
            database = sqlite3.connect(path)
            assert database.execute("SELECT count(*) FROM tree").fetchone() == (rows,)
            database.close()
            times.setdefault(kind, []).append(usage.ru_utime + usage.ru_stime)
            memory.setdefault(kind, []).append(usage.ru_maxrss / 1_000)
            for file in pathlib.Path(folder).glob(f"{kind}{turn}*"):
                file.unlink()
ratio = min(times["sync"]) / min(times["plain"])
for kind in times:
    print(f"grdb-measure: {kind}: {min(times[kind]):.2f} s (" + ", ".join(f"{each:.2f}" for each in times[kind])
          + f"), at most {max(memory[kind]):.1f} MB resident")
print(f"grdb-measure: {rows} rows, {ratio:.2f} times the processor time of the loop")
if ratio > LARGEST_RATIO or max(memory["sync"]) > MOST_MEGABYTES:
    sys.exit(f"grdb-measure: more than {LARGEST_RATIO} times, or more than {MOST_MEGABYTES} MB")
