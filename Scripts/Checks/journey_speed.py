#!/usr/bin/env python3
"""Measures journeys beside nigiri in one run, and writes the table of Docs/benchmarks.md.

  Scripts/Checks/journey_speed.py [--count N] [--larger FEED DAY] [--binary FILE] [--allocations]
    [--markdown Docs/benchmarks.md]

Times are CPU time of a process on the plain form of each feed (see journeys.py). --larger adds New York's timetable of 2018,
which isn't in ../shared: inst/extdata/nyc_subway.zip of r-transit/tidytransit, 2018-07-18. Skipped if ../shared or pynigiri
is missing; --allocations counts them with valgrind, which takes a minute.
"""

import argparse
import csv
import datetime
import io
import json
import os
import random
import re
import statistics
import subprocess
import sys
import tempfile
import zipfile

from journeys import FEEDS, PEER, SHARED, build, replace, run

NIGIRI = """
import datetime, json, sys, time
import pynigiri as n
feed, day, zone = sys.argv[1:4]
day = datetime.datetime.strptime(day, "%Y-%m-%d")
from zoneinfo import ZoneInfo
base = int(datetime.datetime(day.year, day.month, day.day, 12, tzinfo=ZoneInfo(zone)).timestamp()) // 60 - 720
config, options, span = n.LoaderConfig(), n.FinalizeOptions(), datetime.timedelta(days=3)
config.link_stop_distance, config.default_tz = 0, zone
options.max_footpath_length, options.adjust_footpaths = 20, False
loads, times, answers = [], [], []
for _ in range(5):
    began = time.process_time()
    loaded = n.load_timetable([n.TimetableSource("f", feed, config)], f"{day - span:%Y-%m-%d}", f"{day + span:%Y-%m-%d}", options)
    loads.append(time.process_time() - began)
for line in sys.stdin:
    _, start, end, minutes = line.rstrip("\\n").split("\\t")
    q = n.Query()
    q.start_time = base + int(minutes)
    q.start = [n.Offset(loaded.find_location(start), 0, 0)]
    q.destination = [n.Offset(loaded.find_location(end), 0, 0)]
    q.start_match_mode = q.dest_match_mode = n.LocationMatchMode.EXACT
    q.max_transfers, q.use_start_footpaths = 7, True
    began = time.process_time()
    found = n.route(loaded, q)
    times.append(time.process_time() - began)
    answers.append(len(found))
print(json.dumps({"load": min(loads), "times": times}))
"""


def zone(feed):
    text = zipfile.ZipFile(feed).read("agency.txt").decode("utf-8-sig")
    return next(csv.DictReader(io.StringIO(text)))["agency_timezone"]


def quantiles(times):
    times = sorted(times)
    return times[len(times) // 2], times[len(times) * 95 // 100]


def asked(queries, kind):
    return "".join(f"{kind}\t{start}\t{end}\t{time}\n" for start, end, time in queries)


def timed(binary, timetable, day, queries, kind):
    """The seconds that each query takes; the first ones warm the process up."""
    text = asked(queries[:200] + queries, kind)
    lines = run(binary, "answer", timetable, day, text=text).splitlines()
    return [int(line.split("\t")[0]) / 1e9 for line in lines[200:]]


def allocations(binary, timetable, day, queries):
    """The allocations of one more query, with those of reading its line and printing its answer, counted by valgrind."""

    def count(queries):
        result = subprocess.run(
            ["valgrind", "--tool=memcheck", "--leak-check=no", binary, "answer", timetable, day],
            input=asked(queries, "departing"), capture_output=True, text=True)
        return int(re.search(r"total heap usage: ([\d,]+) allocs", result.stderr)[1].replace(",", ""))

    return (count(queries[:300]) - count(queries[:100])) / 200


def served(feed):
    """The stops with stop times, in order."""
    archive = zipfile.ZipFile(feed)
    rows = csv.reader(io.TextIOWrapper(archive.open("stop_times.txt"), "utf-8-sig"))
    column = [name.strip() for name in next(rows)].index("stop_id")
    return sorted({row[column].strip() for row in rows})


def first(binary, timetable, day, query, rounds=7):
    """The seconds and bytes of a new process that opens the file and answers, beyond those of an empty one."""

    def cost(*arguments):
        costs = []
        for _ in range(rounds):
            time, kilobytes = run(binary, *arguments).splitlines()[-1].split("\t")
            costs.append((int(time) / 1e9, int(kilobytes) * 1024))
        return [statistics.median(c) for c in zip(*costs)]

    empty, full = cost("empty"), cost("first", timetable, day, asked([query], "departing").rstrip("\n"))
    return full[0] - empty[0], full[1] - empty[1]


def measured(name, feed, day, options, binary, folder):
    plain, timetable = os.path.join(folder, "plain.zip"), os.path.join(folder, "timetable")
    run(sys.executable, PEER, feed, day, "--normalize", plain)
    stops = served(plain)
    draw = random.Random(options.seed)
    queries = [(*draw.sample(stops, 2), draw.randrange(300, 1380)) for _ in range(options.count)]
    compiled = [run(binary, "compile", plain, timetable).split("\t") for _ in range(5)]
    mine = timed(binary, timetable, day, queries, "departing")
    other = subprocess.run(
        [sys.executable, "-c", NIGIRI, plain, day, zone(plain)], input=asked(queries, "departing"), capture_output=True, text=True)
    if other.returncode:
        sys.exit(other.stderr)
    other = json.loads(other.stdout.splitlines()[-1])
    back = timed(binary, timetable, day, queries, "arriving")
    window = timed(binary, timetable, day, queries, "within")
    opened = first(binary, timetable, day, queries[0])
    return [
        ("zip to usable timetable", name, min(int(c[0]) for c in compiled) / 1e9, other["load"]),
        ("journey at a time, median", name, quantiles(mine)[0], quantiles(other["times"])[0]),
        ("journey at a time, 95 %", name, quantiles(mine)[1], quantiles(other["times"])[1]),
        ("journey by a time, median", name, quantiles(back)[0], None),
        ("range of two hours, median", name, quantiles(window)[0], None),
        ("range of two hours, mean beside that of one query", name, statistics.mean(window) / statistics.mean(mine), "times"),
        ("new process to the first answer", name, opened[0], None),
        ("the same, resident memory", name, opened[1], "bytes"),
        ("compiled file", name, int(compiled[0][1]), "bytes"),
    ] + ([("allocations of a query", name, allocations(binary, timetable, day, queries), "count")] if options.allocations else [])


def text(value, unit):
    if value is None:
        return "–"
    if unit == "bytes":
        return f"{value / 1e6:.2f} MB"
    if unit in ("count", "times"):
        return f"{value:.1f}"
    return f"{value * 1e3:.3g} ms" if value >= 1e-3 else f"{value * 1e6:.3g} µs"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--larger", nargs=2, metavar=("FEED", "DAY"))
    parser.add_argument("--binary")
    parser.add_argument("--allocations", action="store_true")
    parser.add_argument("--markdown")
    parser.add_argument("--date", default=f"{datetime.date.today()}")
    options = parser.parse_args()
    if not os.path.exists(PEER):
        return print("journey_speed.py: skipped, because ../shared isn't here")
    if subprocess.run([sys.executable, "-c", "import pynigiri"], capture_output=True).returncode:
        return print("journey_speed.py: skipped, because pynigiri isn't installed")
    binary = os.path.abspath(options.binary) if options.binary else build()
    feeds = [(name, os.path.join(SHARED, f"data/transit/{feed}_gtfs.zip"), FEEDS[feed]) for name, feed in (("Cairns", "cairns"), ("New York 2024", "nyc_subway"))]
    if options.larger:
        feeds.append(("New York 2018", *options.larger))
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for feed in feeds:
            rows += measured(*feed, options, binary, folder)
    lines = [f"{options.date}, {options.count} random queries of each feed.", "", "| | feed | FieldTransit | nigiri | ratio |", "|---|---|---|---|---|"]
    for what, name, mine, other in sorted(rows, key=lambda r: [x[0] for x in rows].index(r[0])):
        unit = other if isinstance(other, str) else None
        ratio = f"{other / mine:.3g}" if other and not unit else ""
        lines.append(f"| {what} | {name} | {text(mine, unit)} | {text(None if unit else other, None)} | {ratio} |")
    table = "\n".join(lines)
    print(table)
    if options.markdown:
        replace(options.markdown, table)


if __name__ == "__main__":
    main()
