#!/usr/bin/env python3
"""Kills processes that sync into a table, resumes them, and compares the table with the source by Python's sqlite3.

    Scripts/Checks/grdb-kill.py TOOL [KILLS [ROWS [SEED]]]

TOOL is the built SyncTool of Adapters/FieldGRDB. Each process is killed at a random point, and the next one continues. When a
generation of the source is complete, the next one follows, in which rows have changed and others are deleted. After each
kill, the file is intact and has whole pages only. Defaults to 25 kills of a sync of 200,000 rows.
"""
import json
import os
import pathlib
import random
import sqlite3
import subprocess
import sys
import tempfile
import time

tool, kills, rows = sys.argv[1], int((sys.argv[2:] or [25])[0]), int((sys.argv[3:] or [200_000])[0])
seed = int((sys.argv[4:] or [random.randrange(1_000_000)])[0])
chance = random.Random(seed)
PAGE = max(1, rows // 100)


def trees(generation):
    """The rows of Sources/SyncTool/MadeTrees.swift."""
    for id in range(rows):
        if any(id % 97 == each % 97 for each in range(1, generation + 1)):
            continue
        version = next((each for each in range(generation, 0, -1) if (id * 31 + each * 7) % 10 == 0), 0)
        yield (id, f"species {id % 101}", f"district {(id + version) % 12}", None if id % 7 == 0 else id % 300 / 10,
               1_900 + id % 120, version)


def start(path, generation):
    command = [tool, "sync", path, str(rows), str(generation), str(PAGE)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                            env={**os.environ, "SYNC_TOOL_LINES": "1"})


def check(path, generation):
    """Checks a file whose process was killed, and returns its state."""
    database = sqlite3.connect(path)
    assert database.execute("PRAGMA integrity_check").fetchall() == [("ok",)], f"seed {seed}: damaged"
    if not database.execute("SELECT 1 FROM sqlite_master WHERE name = 'fieldCheckpoint'").fetchone():
        return None
    count, = database.execute("SELECT count(*) FROM tree").fetchone()
    row = database.execute("SELECT checkpoint FROM fieldCheckpoint").fetchone()
    database.close()
    if generation == 0 and row and "sync.run" in (cursors := json.loads(row[0])["cursors"]):
        assert count == int(cursors["sync.key"]) + 1, f"seed {seed}: {count} rows, but {cursors}"
    if generation == 0 and not row:
        assert count == 0, f"seed {seed}: {count} rows without a checkpoint"
    return (generation, row and json.dumps(json.loads(row[0])["cursors"], sort_keys=True))


def compare(path, generation):
    """Ends the sync of a generation, and returns the number of rows, which equal the source."""
    for _ in range(2):  # the second one finds nothing
        out, _ = start(path, generation).communicate()
    database = sqlite3.connect(path)
    stored = database.execute("SELECT * FROM tree ORDER BY id").fetchall()
    database.close()
    expected = list(trees(generation))
    assert stored == expected, f"seed {seed}: {len(stored)} rows instead of {len(expected)}, or others"
    assert out.startswith("unchanged"), f"seed {seed}: {out}"
    return len(stored)


with tempfile.TemporaryDirectory() as folder:
    done, files, generation, states, count = 0, 0, 0, set(), 0
    while done < kills:
        path = str(pathlib.Path(folder) / f"trees{files}.sqlite")
        process = start(path, generation)
        # A generation has up to a hundred pages, and another hundred of IDs. The moment within a page is random, too.
        lines = chance.randint(1, chance.choice([20, 200]))
        if all(process.stderr.readline() for _ in range(lines)):
            time.sleep(chance.uniform(0, 0.02))
        if process.poll() is None:
            process.kill()
            process.communicate()
        if process.returncode == 0:
            generation += 1
            if generation > 3:
                count = compare(path, generation)
                files, generation = files + 1, 0
            continue
        assert process.returncode < 0, f"seed {seed}: the tool failed"
        done += 1
        states.add((files, check(path, generation)))
    count = compare(path, generation)
    print(f"grdb-kill: {kills} kills at {len(states)} different states; all rows equal the source, at last {count} "
          f"of generation {generation} (seed {seed})")
