#!/usr/bin/env python3
"""Compares the journeys of FieldTransit with those of nigiri, and with an exhaustive search backward.

  Scripts/Checks/journeys.py [--count N] [--seed N] [--feeds NAME,NAME] [--binary FILE] [--differences] [--write]

The feeds and the driver of nigiri are in ../shared (journeys.py there writes the plain form of a feed, which both
understand alike). N random queries of each feed are answered forward by both, and N backward by this file's search over all
connections. Every difference must be one of the kinds in Docs/conformance.md; --differences prints them, and --write
writes the counts there. Skipped if ../shared or pynigiri is missing.
"""

import argparse
import bisect
import collections
import csv
import datetime
import io
import json
import os
import random
import subprocess
import sys
import tempfile
import zipfile

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "../.."))
SHARED = os.path.join(ROOT, "../shared")
PEER = os.path.join(SHARED, "peers/journeys.py")
FEEDS = {
    "nyc_subway": "2024-12-18",
    "cairns": "2014-06-03",
    "ber": "2020-11-24",
    "spo": "2019-06-05",
    "poa": "2019-02-05",
    "sample": "2007-06-06",
}
CHANGE, RIDES, HORIZON = 2, 8, 1440
# What may differ from nigiri; Docs/conformance.md has the reasons.
WALK, RUNS, BACKWARD, UNEXPLAINED = "a walk is faster", "last run of a frequency", "times go back", "unexplained"
KINDS = (WALK, RUNS, BACKWARD, UNEXPLAINED)


def run(*command, text=None):
    result = subprocess.run(command, input=text, capture_output=True, text=True)
    if result.returncode:
        sys.exit(f"{command[0]}: {result.stderr or result.stdout}")
    return result.stdout


class Plain:
    """The connections of a feed in plain form, read without the code of the peer and of the package."""

    def __init__(self, path, day):
        archive = zipfile.ZipFile(path)

        def rows(name):
            if name not in archive.namelist():
                return []
            text = archive.read(name).decode("utf-8-sig")
            keep = csv.DictReader(io.StringIO(text), skipinitialspace=True)
            return [{(k or "").strip(): (v or "").strip() for k, v in r.items() if isinstance(v, str) or v is None} for r in keep]

        self.walks = collections.defaultdict(dict)
        for row in rows("transfers.txt"):
            if row["from_stop_id"] != row["to_stop_id"]:
                self.walks[row["from_stop_id"]][row["to_stop_id"]] = int(row["min_transfer_time"]) // 60
        self.back = collections.defaultdict(list)
        for start, ends in self.walks.items():
            for end, walk in ends.items():
                self.back[end].append((start, walk))
        calendar, dates = rows("calendar.txt"), rows("calendar_dates.txt")

        def services(day):
            key, name = f"{day:%Y%m%d}", f"{day:%A}".lower()
            found = {r["service_id"] for r in calendar if r[name] == "1" and r["start_date"] <= key <= r["end_date"]}
            for row in dates:
                if row["date"] == key and row["exception_type"] == "1":
                    found.add(row["service_id"])
                if row["date"] == key and row["exception_type"] == "2":
                    found.discard(row["service_id"])
            return found

        runs = collections.defaultdict(list)
        for row in rows("frequencies.txt"):
            start, end = minutes(row["start_time"], 1), minutes(row["end_time"], 1)
            runs[row["trip_id"]] += range(start, end, int(row["headway_secs"]))
        visits = collections.defaultdict(list)
        for row in rows("stop_times.txt"):
            visits[row["trip_id"]].append(row)
        trips = {row["trip_id"]: row["service_id"] for row in rows("trips.txt")}
        days = {offset: services(day + datetime.timedelta(days=offset)) for offset in (-2, -1, 0, 1)}
        self.connections, self.backward, number = [], set(), 0
        for trip, service in trips.items():
            stops = timed(sorted(visits[trip], key=lambda r: int(r["stop_sequence"])))
            if stops is None:
                self.backward.add(trip)
            if not stops or len(stops) < 2:
                continue
            first = stops[0][2]
            for start in runs[trip] if trip in runs else [None]:
                shift = 0 if start is None else start // 60 - first
                for offset, active in days.items():
                    if service not in active:
                        continue
                    number += 1
                    by = shift + 1440 * offset
                    for place, (a, b) in enumerate(zip(stops, stops[1:])):
                        self.connections.append((b[1] + by, a[2] + by, place, number, a[0], b[0], a[3], b[4]))
        # Those that arrive latest come first; of one trip, the later ones.
        self.connections.sort(reverse=True)
        self.arrivals = [-c[0] for c in self.connections]
        self.stops = sorted({c[4] for c in self.connections} | {c[5] for c in self.connections})

    def latest(self, target, time):
        """For each stop, the latest departure for each number of changes, of all that arrive by a time."""
        ready = {target: time}  # the latest time at which one must have alighted
        for stop, walk in self.back[target]:
            ready[stop] = time - walk
        answers = collections.defaultdict(list)
        first = bisect.bisect_left(self.arrivals, -time)
        for rides in range(1, RIDES + 1):
            aboard, boarded = set(), {}
            for arrival, departure, _, trip, start, end, may_board, may_alight in self.connections[first:]:
                if arrival < time - HORIZON:
                    break
                if trip not in aboard:
                    if not may_alight or ready.get(end, -(10**9)) < arrival:
                        continue
                    aboard.add(trip)
                if may_board and departure > boarded.get(start, -(10**9)):
                    boarded[start] = departure
            starts, ready = dict(boarded), {}
            for stop, departure in boarded.items():
                ready[stop] = max(ready.get(stop, -(10**9)), departure - CHANGE)
                for other, walk in self.back[stop]:
                    ready[other] = max(ready.get(other, -(10**9)), departure - walk)
                    starts[other] = max(starts.get(other, -(10**9)), departure - walk)
            for stop, departure in starts.items():
                best = answers[stop]
                if departure >= time - HORIZON and (not best or departure > best[-1][0]):
                    best.append([departure, rides - 1])
        return answers


def minutes(text, unit=60):
    hour, minute, *rest = text.split(":")
    return (int(hour) * 3600 + int(minute) * 60 + int(rest[0] if rest else 0)) // unit


def timed(rows):
    """The stops of a trip with their times; those between two known ones are spread by the number of stops."""
    times = []
    for row in rows:
        arrival, departure = row.get("arrival_time") or row.get("departure_time"), row.get("departure_time") or row.get("arrival_time")
        times.append((minutes(arrival), minutes(departure)) if arrival else None)
    if not times or not times[0] or not times[-1]:
        return []
    known = 0
    for place, time in enumerate(times):
        if time and time[0] < times[known][1] and place:
            return None  # the trip goes back in time
        if time:
            for step in range(1, place - known):
                low, high = times[known][1], time[0]
                middle = low + (2 * (high - low) * step + place - known) // (2 * (place - known))
                times[known + step] = (middle, middle)
            known = place
    allowed = ("", "0")
    return [
        (r["stop_id"], *t, r.get("pickup_type", "") in allowed, r.get("drop_off_type", "") in allowed)
        for r, t in zip(rows, times)
    ]


def answers(binary, timetable, day, queries):
    """What the package answers to (kind, from, to, minutes)."""
    text = "".join("\t".join(map(str, q)) + "\n" for q in queries)
    return [json.loads(line.split("\t")[1]) for line in run(binary, "answer", timetable, day, text=text).splitlines()]


def ask(feed, day, options):
    """What nigiri answers to random queries, which depend on the stops and the seed alone."""
    lines = run(sys.executable, PEER, feed, day, "--count", str(options.count), "--seed", str(options.seed))
    return [json.loads(line) for line in lines.splitlines() if line.startswith("{")]


def rewritten(source, path, name, change):
    """A copy of a feed in which a file's rows are changed, or None if no row is."""
    archive, changed = zipfile.ZipFile(source), False
    if name not in archive.namelist():
        return None
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as copy:
        for other in archive.namelist():
            content = archive.read(other)
            if other == name:
                rows = list(csv.DictReader(io.StringIO(content.decode("utf-8-sig"))))
                text = io.StringIO()
                writer = csv.DictWriter(text, rows[0].keys())
                writer.writeheader()
                for row in rows:
                    old = dict(row)
                    change(row)
                    changed |= row != old
                    writer.writerow(row)
                content = text.getvalue()
            copy.writestr(other, content)
    return path if changed else None


def whole_windows(row):
    """nigiri runs a frequency as often as its headway fits into its window, so the window is made that long."""
    start, end, headway = minutes(row["start_time"], 1), minutes(row["end_time"], 1), int(row["headway_secs"])
    end = start + -(-(end - start) // headway) * headway
    row["end_time"] = f"{end // 3600:02}:{end // 60 % 60:02}:{end % 60:02}"


def compared(query, mine, answers, plain):
    """Whether both agree, or of which kind the difference is; it must vanish when the feed says it in nigiri's way."""
    _, start, end, time = query
    if mine == answers[None]:
        return "equal"
    walk = plain.walks[start].get(end)
    for kind, other in answers.items():
        if kind and mine == other:
            return kind
        if walk is not None and [j for j in mine if j[0] < time + walk] == other:
            return kind or WALK
    return UNEXPLAINED


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--feeds", default=",".join(FEEDS))
    parser.add_argument("--binary")
    parser.add_argument("--differences", action="store_true")
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    if not os.path.exists(PEER):
        return print("journeys.py: skipped, because ../shared isn't here")
    if subprocess.run([sys.executable, "-c", "import pynigiri"], capture_output=True).returncode:
        return print("journeys.py: skipped, because pynigiri isn't installed")
    binary = options.binary or build()
    failed = False
    table = ["| feed | forward | equal | " + " | ".join(KINDS) + " | backward | equal |", "|---" * (len(KINDS) + 5) + "|"]
    print(*table, sep="\n", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        for feed in options.feeds.split(","):
            day = FEEDS[feed]
            zipped, timetable = os.path.join(folder, "plain.zip"), os.path.join(folder, "timetable")
            run(sys.executable, PEER, os.path.join(SHARED, f"data/transit/{feed}_gtfs.zip"), day, "--normalize", zipped)
            run(binary, "compile", zipped, timetable)
            plain = Plain(zipped, datetime.datetime.strptime(day, "%Y-%m-%d"))
            asked = ask(zipped, day, options)
            queries = [("departing", q["from"], q["to"], minutes(q["departs"] + ":00")) for q in asked]
            others = {None: asked}
            for why, name, change in (
                (RUNS, "frequencies.txt", whole_windows),
                (BACKWARD, "trips.txt", lambda row: row.update(service_id="-") if row["trip_id"] in plain.backward else None),
            ):
                copy = rewritten(zipped, os.path.join(folder, "copy.zip"), name, change)
                if copy:
                    others[why] = ask(copy, day, options)
            counts = collections.Counter()
            for place, (query, mine) in enumerate(zip(queries, answers(binary, timetable, day, queries))):
                found = {why: other[place]["journeys"] for why, other in others.items()}
                why = compared(query, mine, found, plain)
                counts[why] += 1
                if why == UNEXPLAINED or options.differences and why != "equal":
                    print(feed, *query, "ours", mine, "nigiri", found[None], why, file=sys.stderr)
            # One search answers for all stops, so ten of them are asked for each.
            draw, queries, expected = random.Random(options.seed), [], []
            while len(queries) < options.count:
                end, time = draw.choice(plain.stops), draw.randrange(5 * 60, 23 * 60)
                found = plain.latest(end, time)
                for start in draw.choices(plain.stops, k=10):
                    if start != end:
                        queries.append(("arriving", start, end, time))
                        expected.append(found[start])
            same = 0
            for query, mine, other in zip(queries, answers(binary, timetable, day, queries), expected):
                same += mine == other
                if mine != other:
                    print(feed, *query, "ours", mine, "search", other, file=sys.stderr)
            failed |= counts[UNEXPLAINED] > 0 or same < len(queries)
            table.append(f"| {feed} | {len(asked)} | {counts['equal']} | {' | '.join(str(counts[k]) for k in KINDS)} | {len(queries)} | {same} |")
            print(table[-1], flush=True)
    if options.write:
        replace(os.path.join(ROOT, "Docs/conformance.md"), "\n".join(table))
    sys.exit(failed)


def replace(path, table, name="journeys"):
    """Writes a table between the marks of a page."""
    with open(path) as file:
        before, rest = file.read().split(f"<!-- {name} -->\n")
    with open(path, "w") as file:
        file.write(f"{before}<!-- {name} -->\n{table}\n<!-- end of {name} -->" + rest.split(f"<!-- end of {name} -->")[1])


def build():
    tools = os.path.join(ROOT, "Scripts/Tools")
    scratch = ["--scratch-path", os.environ["SCRATCH"]] if "SCRATCH" in os.environ else []
    command = ["swift", "build", *scratch, *os.environ.get("RELEASE_FLAGS", "-c release").split()]
    for more in (["--quiet", "--product", "Journeys"], ["--show-bin-path"]):
        result = subprocess.run(command + more, cwd=tools, capture_output=True, text=True)
        if result.returncode:
            sys.exit(result.stdout + result.stderr)
    return os.path.join(result.stdout.strip(), "Journeys")


if __name__ == "__main__":
    main()
