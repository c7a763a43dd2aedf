#!/usr/bin/env python3
"""Writes random messages of GTFS Realtime about a feed, and prints the journeys that nigiri finds after each.

  realtime_reference.py PLAIN.zip DATE FOLDER --messages 20 --queries 50 --seed 1

PLAIN.zip is a feed in the plain form of the project's reference for journeys. The messages are FOLDER/0.pb and so on, written
with PyPI's gtfs-realtime-bindings. A line is a query and its Pareto set: {"message": 0, "from": stop_id, "to": stop_id,
"departs": minutes after midnight of DATE, "journeys": [[arrival in the same minutes, transfers], ...]}.

Delays that move a time forward are whole minutes, because nigiri cuts seconds of a delay off toward zero. There is no NO_DATA,
which nigiri doesn't know, and no trip is added under an ID of the feed.
"""
import argparse, collections, csv, datetime, io, json, pathlib, random, tempfile, zipfile, zoneinfo

import pynigiri as nigiri
from google.transit import gtfs_realtime_pb2 as gtfs

CHANGE, RIDES, HORIZON = 2, 8, 1440


def table(feed, name):
    if name not in feed.namelist():
        return []
    return list(csv.DictReader(io.StringIO(feed.read(name).decode("utf-8-sig"))))


class Reference:
    def __init__(self, path, day):
        feed = zipfile.ZipFile(path)
        self.day = day
        self.zone = zoneinfo.ZoneInfo(table(feed, "agency.txt")[0]["agency_timezone"])
        # GTFS counts from noon minus 12 hours.
        self.midnight = int(datetime.datetime(day.year, day.month, day.day, 12, tzinfo=self.zone).timestamp()) - 43200
        times = collections.defaultdict(list)
        for row in table(feed, "stop_times.txt"):
            times[row["trip_id"]].append((int(row["stop_sequence"]), row["stop_id"], row["arrival_time"].strip()))
        frequencies = {row["trip_id"] for row in table(feed, "frequencies.txt")}
        services = self.services(feed)
        self.trips = {row["trip_id"]: (row["route_id"], sorted(times[row["trip_id"]])) for row in table(feed, "trips.txt")
                      if row["service_id"] in services and row["trip_id"] not in frequencies and len(times[row["trip_id"]]) > 1}
        self.stops = sorted({stop for _, visits in self.trips.values() for _, stop, _ in visits})
        folder = tempfile.mkdtemp()
        feed.extractall(folder)
        config, options = nigiri.LoaderConfig(), nigiri.FinalizeOptions()
        config.link_stop_distance, config.default_tz = 0, self.zone.key
        options.max_footpath_length, options.adjust_footpaths = 20, False
        days = [(day + datetime.timedelta(days=shift)).strftime("%Y-%m-%d") for shift in (-3, 3)]
        self.loaded = nigiri.load_timetable([nigiri.TimetableSource("f", folder, config)], *days, options)

    def services(self, feed):
        key, weekday = self.day.strftime("%Y%m%d"), self.day.strftime("%A").lower()
        found = {row["service_id"] for row in table(feed, "calendar.txt")
                 if row["start_date"] <= key <= row["end_date"] and row[weekday] == "1"}
        for row in table(feed, "calendar_dates.txt"):
            if row["date"] == key:
                (found.add if row["exception_type"] == "1" else found.discard)(row["service_id"])
        return found

    def message(self, choose):
        """A message about a part of the day's trips."""
        message = gtfs.FeedMessage()
        message.header.gtfs_realtime_version = "2.0"
        message.header.timestamp = self.midnight + 12 * 3600
        for trip in choose.sample(sorted(self.trips), min(len(self.trips) // 3 + 1, 300)):
            entity = message.entity.add(id=trip)
            update = entity.trip_update
            update.trip.trip_id, update.trip.start_date = trip, self.day.strftime("%Y%m%d")
            kind = choose.randrange(10)
            if kind == 0:
                update.trip.schedule_relationship = gtfs.TripDescriptor.CANCELED
            else:
                self.delay(update, self.trips[trip][1], choose)
        for number in range(choose.randrange(4)):
            entity = message.entity.add(id=f"added {number}")
            update = entity.trip_update
            update.trip.trip_id, update.trip.start_date = f"added {number}", self.day.strftime("%Y%m%d")
            update.trip.schedule_relationship = gtfs.TripDescriptor.ADDED
            # The stops of another trip, so that no vehicle is as fast as a plane, which nigiri refuses.
            route, visits = self.trips[choose.choice(sorted(self.trips))]
            update.trip.route_id = route
            time = self.midnight + choose.randrange(5 * 60, 23 * 60) * 60
            for _, stop, _ in visits:
                event = update.stop_time_update.add(stop_id=stop)
                event.arrival.time = time
                event.departure.time = time + 60
                time += choose.randrange(2, 8) * 60
        return message

    def delay(self, update, visits, choose):
        loops = len({stop for _, stop, _ in visits}) < len(visits)
        for place in sorted(choose.sample(range(len(visits)), choose.randint(1, min(4, len(visits))))):
            sequence, stop, time = visits[place]
            event = update.stop_time_update.add(stop_sequence=sequence)
            # nigiri takes the first stop with that number or that ID.
            if not loops and choose.random() < 0.5:
                event.stop_id = stop
            if choose.random() < 0.15:
                event.schedule_relationship = gtfs.TripUpdate.StopTimeUpdate.SKIPPED
                continue
            late = choose.choice([choose.randrange(0, 1800), -60 * choose.randrange(0, 6)])
            parts = [event.arrival, event.departure] if choose.random() < 0.7 else [event.arrival]
            for part in parts:
                if time and choose.random() < 0.5:
                    hours, minutes, _ = time.split(":")
                    part.time = self.midnight + int(hours) * 3600 + int(minutes) * 60 + late
                else:
                    part.delay = late
                late += 60 * choose.randrange(0, 3)

    def answer(self, live, origin, target, departs):
        query = nigiri.Query()
        query.start_time = self.midnight // 60 + departs
        query.start = [nigiri.Offset(self.loaded.find_location(origin), 0, 0)]
        query.destination = [nigiri.Offset(self.loaded.find_location(target), 0, 0)]
        query.start_match_mode = query.dest_match_mode = nigiri.LocationMatchMode.EXACT
        query.max_transfers, query.use_start_footpaths = RIDES - 1, True
        pairs = []
        for journey in nigiri.route_with_rt(self.loaded, live, query):
            end = journey.dest_time
            end = int(end.timestamp()) // 60 if hasattr(end, "timestamp") else end.count() if hasattr(end, "count") else int(end)
            if end - self.midnight // 60 <= departs + HORIZON:
                pairs.append((end - self.midnight // 60, journey.transfers))
        front = []
        for end, transfers in sorted(pairs):
            if not front or transfers < front[-1][1]:
                front.append([end, transfers])
        return sorted(front, key=lambda pair: pair[1])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("feed"), parser.add_argument("date"), parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--messages", type=int, default=20), parser.add_argument("--queries", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    reference = Reference(arguments.feed, datetime.datetime.strptime(arguments.date, "%Y-%m-%d"))
    choose = random.Random(arguments.seed)
    for number in range(arguments.messages):
        content = reference.message(choose).SerializeToString()
        (arguments.folder / f"{number}.pb").write_bytes(content)
        live = nigiri.create_rt_timetable(reference.loaded, reference.day)
        nigiri.gtfsrt_update_from_bytes(reference.loaded, live, nigiri.SourceIdx(0), "f", content)
        for _ in range(arguments.queries):
            origin, target = choose.sample(reference.stops, 2)
            departs = choose.randrange(5 * 60, 23 * 60)
            print(json.dumps({"message": number, "from": origin, "to": target, "departs": departs,
                              "journeys": reference.answer(live, origin, target, departs)}))


main()
