#!/usr/bin/env python3
"""Counts the metro's trains in the captures of ../shared, as an independent judge of MetroTimetable.

  metro_timetable_reference.py times DAY [FOLDER]    the first and the last train of each platform to each destination
  metro_timetable_reference.py boards [FOLDER]       the same trains as the rows of TDX's StationTimeTable

DAY is a day of the week from 1, Monday. A line of the first is code, destination, first, and last, separated by tabs; the
destination is the Chinese name of the station where the train ends. A train can't be boarded there.
"""
import collections, json, pathlib, sys

DATA = pathlib.Path(__file__).resolve().parents[2] / "../shared/data/metro"
LINES = ("R", "BL", "G", "O")
DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")


def minutes(text):
    hours, rest = map(int, text.split(":"))
    return (hours + (24 if hours < 4 else 0)) * 60 + rest


def trains(folder):
    """The line, the direction, the days, and the visits of each train, as codes and times."""
    for line in LINES:
        for direction, part in enumerate(json.loads((folder / f"{line}.json").read_text())):
            for table in part["Timetables"]:
                for train in table["Trains"]:
                    yield line, direction, table["Days"], [(v["StationCode"], v["DepTime"]) for v in train["Schedule"]]


def names():
    lines = json.loads((DATA / "tdx-full/TRTC_StationOfLine.json").read_text("utf-8-sig"))
    return {stop["StationID"]: stop["StationName"]["Zh_tw"] for line in lines for stop in line["Stations"]}


def main():
    rest = sys.argv[2:]
    day = rest.pop(0) if sys.argv[1] == "times" else None
    folder = pathlib.Path(rest[0]) if rest else DATA / "timetable"
    name, found, boards = names(), {}, collections.defaultdict(list)
    for line, direction, days, visits in trains(folder):
        end = visits[-1][0]
        for code, time in visits[:-1]:
            if day is None:
                boards[line, direction, code, end, days].append(time)
            elif day in days.split(","):
                first, last = found.get((code, name[end]), (time, time))
                found[code, name[end]] = min(first, time, key=minutes), max(last, time, key=minutes)
    for (code, end), (first, last) in sorted(found.items()):
        print(code, end, first, last, sep="\t")
    if day is None:
        print(json.dumps([{
            "RouteID": f"{line}-1", "LineID": line, "StationID": code, "Direction": direction, "DestinationStaionID": end,
            "Timetables": [{"Sequence": place + 1, "DepartureTime": time, "TrainType": 0}
                           for place, time in enumerate(sorted(times, key=minutes))],
            "ServiceDay": {name: str(number + 1) in days.split(",") for number, name in enumerate(DAYS)},
        } for (line, direction, code, end, days), times in boards.items()]))


if __name__ == "__main__":
    sys.stdout.reconfigure(encoding="utf-8")
    main()
