#!/usr/bin/env python3
"""Compares journeys after random messages of GTFS Realtime with those of nigiri, and of a feed rewritten by the message.

  Scripts/Checks/realtime.py [--messages N] [--queries N] [--seed N] [--feeds NAME,NAME] [--binary FILE] [--write]

The messages and nigiri's answers, which are those of `route_with_rt`, are from realtime_reference.py. The second reference
shares no code with the package, nor with nigiri: this file reads each message with Google's classes, writes the day's trips
as the specification says that they run now, and has the rewritten feed compiled like any other. Every difference must be of
a kind in Docs/conformance.md, and --write writes the counts there. Skipped if ../shared, pynigiri, or
gtfs-realtime-bindings is missing. The test "Journeys in real feeds after random messages are those of nigiri" is the short form.
"""

import argparse
import collections
import csv
import datetime
import io
import json
import os
import subprocess
import sys
import tempfile
import zipfile
import zoneinfo

import journeys
from journeys import PEER, ROOT, SHARED, answers, build, minutes, run, timed

FEEDS = {"nyc_subway": "2024-12-18", "cairns": "2014-06-03", "ber": "2020-11-24"}
REFERENCE = os.path.join(ROOT, "Scripts/Checks/realtime_reference.py")


class Feed:
    """A feed in plain form, which messages rewrite."""

    def __init__(self, path, day):
        self.path, self.day, self.key = path, day, day.strftime("%Y%m%d")
        with zipfile.ZipFile(path) as archive:
            self.names = archive.namelist()
            self.rest = {name: archive.read(name) for name in self.names}
        self.trips, self.fields = {}, {}
        for row in self.table("trips.txt"):
            self.trips[row["trip_id"]] = row
        self.visits = collections.defaultdict(list)
        for row in self.table("stop_times.txt"):
            self.visits[row["trip_id"]].append(row)
        for rows in self.visits.values():
            rows.sort(key=lambda row: int(row["stop_sequence"]))
        zone = zoneinfo.ZoneInfo(self.table("agency.txt")[0]["agency_timezone"])
        # GTFS counts from noon minus 12 hours.
        noon = datetime.datetime(day.year, day.month, day.day, 12, tzinfo=zone)
        self.midnight = int(noon.timestamp()) - 43200

    def table(self, name):
        if name not in self.rest:
            return []
        reader = csv.DictReader(io.StringIO(self.rest[name].decode("utf-8-sig")), skipinitialspace=True)
        rows = [{(key or "").strip(): (value or "").strip() for key, value in row.items() if key} for row in reader]
        self.fields[name] = [name.strip() for name in reader.fieldnames]
        return rows

    def rewritten(self, message, path):
        """Writes the feed as a message changes it: the trips that it names don't run on the day, and their new runs do."""
        removed, added = set(), {}
        for entity in message.entity:
            update = entity.trip_update
            trip = update.trip.trip_id
            kind = update.trip.ScheduleRelationship.Name(update.trip.schedule_relationship)
            if kind == "CANCELED":
                removed.add(trip)
            elif kind == "ADDED":
                added[trip] = (update.trip.route_id, [
                    (stop.stop_id, stop.arrival.time - self.midnight, stop.departure.time - self.midnight, True)
                    for stop in update.stop_time_update])
            elif update.stop_time_update:
                new = self.delayed(trip, update.stop_time_update)
                if new:
                    removed.add(trip)
                    if sum(stop[3] for stop in new) > 1:
                        added[trip + " live"] = (self.trips[trip]["route_id"], new)
        self.write(removed, added, path)

    def delayed(self, trip, updates):
        """The stops of a trip with their new times, in seconds, and whether the vehicle stops there."""
        rows = self.visits[trip]
        known, result = timed(rows), []
        if not known:
            return None
        at = {}
        for update in updates:
            place = next(place for place, row in enumerate(rows)
                         if (not update.stop_sequence or int(row["stop_sequence"]) == update.stop_sequence)
                         and (not update.stop_id or row["stop_id"] == update.stop_id))
            at[place] = update
        delay, last = 0, -(10**9)
        for place, (stop, arrival, departure, *_) in enumerate(known):
            arrival, departure = arrival * 60, departure * 60
            update, stops = at.get(place), True
            if update is not None:
                relationship = update.ScheduleRelationship.Name(update.schedule_relationship)
                stops = relationship != "SKIPPED"
            # "If stop_time_update is not provided for a stop, the delay of the previous one is propagated."
            events = []
            for name, scheduled in (("arrival", arrival), ("departure", departure)):
                if update is not None and stops and update.HasField(name):
                    event = getattr(update, name)
                    # "If both time and delay are given, time takes precedence."
                    delay = event.time - self.midnight - scheduled if event.HasField("time") else event.delay
                events.append(scheduled + delay)
            # A vehicle doesn't leave before it arrives, nor arrive before it has left the stop before.
            if place or update is None or not stops or not update.HasField("departure"):
                events[0] = max(events[0], last)
                events[1] = max(events[1], events[0])
            events[0] = min(events[0], events[1])
            last = events[1]
            result.append((stop, *events, stops))
        return result

    def write(self, removed, added, path):
        services = {self.trips[trip]["service_id"] for trip in removed}
        extra = collections.defaultdict(list)
        for row in self.table("calendar.txt"):
            if row["service_id"] in services:
                extra["calendar.txt"].append({**row, "service_id": row["service_id"] + " less"})
        for row in self.table("calendar_dates.txt"):
            if row["service_id"] in services and row["date"] != self.key:
                extra["calendar_dates.txt"].append({**row, "service_id": row["service_id"] + " less"})
        for service in services:
            extra["calendar_dates.txt"].append({"service_id": service + " less", "date": self.key, "exception_type": "2"})
        # A trip that is early enough begins on the day before.
        before = (self.day - datetime.timedelta(days=1)).strftime("%Y%m%d")
        for service, date in (("live", self.key), ("early", before)):
            extra["calendar_dates.txt"].append({"service_id": service, "date": date, "exception_type": "1"})
        fields = {**{"calendar_dates.txt": ["service_id", "date", "exception_type"]}, **self.fields}
        for trip, (route, stops) in added.items():
            is_early = stops[0][1] < 0
            extra["trips.txt"].append({"trip_id": trip, "route_id": route, "service_id": "early" if is_early else "live"})
            original = self.visits.get(trip.removesuffix(" live"))
            for place, (stop, arrival, departure, halts) in enumerate(stops):
                shift = 86400 if is_early else 0
                row = {"trip_id": trip, "stop_id": stop, "stop_sequence": place + 1,
                       "arrival_time": text(arrival + shift), "departure_time": text(departure + shift)}
                for name in ("pickup_type", "drop_off_type"):
                    row[name] = original[place].get(name, "") if original and halts else "0" if halts else "1"
                extra["stop_times.txt"].append(row)
        fields["stop_times.txt"] = list(dict.fromkeys(fields["stop_times.txt"] + ["pickup_type", "drop_off_type"]))
        with zipfile.ZipFile(path, "w") as copy:
            for name in dict.fromkeys(self.names + list(extra)):
                rows = self.rows(name, removed)
                if rows is None and name not in extra:
                    copy.writestr(name, self.rest[name])
                    continue
                out = io.StringIO()
                writer = csv.DictWriter(out, fields[name], restval="", extrasaction="ignore")
                writer.writeheader()
                writer.writerows(rows or [])
                writer.writerows(extra[name])
                copy.writestr(name, out.getvalue())

    def rows(self, name, removed):
        """The rows of a file that are written again, in which removed trips don't run on the day."""
        if name == "trips.txt":
            return [{**row, "service_id": row["service_id"] + " less"} if trip in removed else row
                    for trip, row in self.trips.items()]
        if name == "stop_times.txt":
            return [row for rows in self.visits.values() for row in rows]
        if name in ("calendar.txt", "calendar_dates.txt"):
            return self.table(name)
        return None


def text(seconds):
    return f"{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}"


def compare(feed, options, binary, folder):
    """The counts of a feed."""
    from google.transit import gtfs_realtime_pb2

    day = FEEDS[feed]
    plain, timetable = os.path.join(folder, "plain.zip"), os.path.join(folder, "timetable")
    copy, other = os.path.join(folder, "copy.zip"), os.path.join(folder, "copy")
    run(sys.executable, PEER, os.path.join(SHARED, f"data/transit/{feed}_gtfs.zip"), day, "--normalize", plain)
    run(binary, "compile", plain, timetable)
    lines = run(sys.executable, REFERENCE, plain, day, folder, "--messages", str(options.messages), "--queries", str(options.queries),
                "--seed", str(options.seed))
    asked = [json.loads(line) for line in lines.splitlines() if line.startswith("{")]
    source = Feed(plain, datetime.datetime.strptime(day, "%Y-%m-%d"))
    walks = journeys.Plain(plain, datetime.datetime.strptime(day, "%Y-%m-%d")).walks
    counts = collections.Counter()
    for number in range(options.messages):
        file = os.path.join(folder, f"{number}.pb")
        some = [query for query in asked if query["message"] == number]
        queries = [("departing", query["from"], query["to"], query["departs"]) for query in some]
        planned = answers(binary, timetable, day, queries)
        mine = [json.loads(line.split("\t")[1]) for line in run(
            binary, "answer", timetable, day, file, text="".join("\t".join(map(str, query)) + "\n" for query in queries)).splitlines()]
        message = gtfs_realtime_pb2.FeedMessage()
        with open(file, "rb") as bytes:
            message.ParseFromString(bytes.read())
        source.rewritten(message, copy)
        run(binary, "compile", copy, other)
        for query, before, live, given, new in zip(queries, planned, mine, some, answers(binary, other, day, queries)):
            counts["queries"] += 1
            counts["changed"] += live != before
            counts["rewritten"] += live == new
            walk = walks[query[1]].get(query[2])
            if live == given["journeys"]:
                counts["nigiri"] += 1
            elif walk is not None and [pair for pair in live if pair[0] < query[3] + walk] == given["journeys"]:
                counts["walk"] += 1
            else:
                counts["unexplained"] += 1
                print(feed, number, *query, "ours", live, "nigiri", given["journeys"], file=sys.stderr)
            if live != new:
                print(feed, number, *query, "ours", live, "rewritten", new, "before", before, file=sys.stderr)
    return counts


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--messages", type=int, default=170, help="of each feed")
    parser.add_argument("--queries", type=int, default=20, help="after each message")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--feeds", default=",".join(FEEDS))
    parser.add_argument("--binary")
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    if not os.path.exists(PEER):
        return print("realtime.py: skipped, because ../shared isn't here")
    for package, name in (("pynigiri", "pynigiri"), ("google.transit.gtfs_realtime_pb2", "gtfs-realtime-bindings")):
        if subprocess.run([sys.executable, "-c", f"import {package}"], capture_output=True).returncode:
            return print(f"realtime.py: skipped, because {name} isn't installed")
    binary = options.binary or build()
    table = ["| feed | messages | journeys | changed by the message | equal to nigiri | a walk is faster | unexplained | equal to the rewritten feed |",
             "|---|---|---|---|---|---|---|---|"]
    print(*table, sep="\n", flush=True)
    failed = False
    for feed in options.feeds.split(","):
        with tempfile.TemporaryDirectory() as folder:
            counts = compare(feed, options, binary, folder)
        failed |= counts["unexplained"] > 0 or counts["rewritten"] < counts["queries"]
        names = ("queries", "changed", "nigiri", "walk", "unexplained", "rewritten")
        table.append(f"| {feed} | {options.messages} | " + " | ".join(str(counts[name]) for name in names) + " |")
        print(table[-1], flush=True)
    if options.write:
        journeys.replace(os.path.join(ROOT, "Docs/conformance.md"), "\n".join(table), "messages")
    sys.exit(failed)


if __name__ == "__main__":
    main()
