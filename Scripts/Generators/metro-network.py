#!/usr/bin/env python3
"""Writes the compact form of Taipei's metro network, which MetroNetwork reads.

    Scripts/Generators/metro-network.py                   writes Sources/MetroKit/Network/Data
    Scripts/Generators/metro-network.py --check           exit code 1 when a file there would change
    Scripts/Generators/metro-network.py --output FILE     writes the compact form alone, as a file that
                                                        MetroNetwork(contentsOf:) reads
    … --data FOLDER --version DATE                      another folder of TDX answers, and its date

The facts are TDX's (Station, StationOfLine, Line, S2STravelTime, FirstLastTimetable of TRTC and NTMC),
and the exits are those of data.taipei's list of 2015 (Big5, TWD97). What is decided by hand stands
below. The grammar of the compact form is the doc comment of NetworkReader.
"""
import argparse
import csv
import json
import math
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
TARGET = ROOT / "Sources/MetroKit/Network/Data"
SHARED = ROOT / "../shared/data/metro"
OPERATORS = {"TRTC": "TRTC", "NTMC": "NTMCC"}  # the file's prefix and that of its station ids

# TDX writes a small L where a capital I belongs.
ENGLISH = {"St.lgnatius High School": "St. Ignatius High School"}

# What stations are called beside their names: feeds' own spellings, their misspellings, and names
# that are short or past.
ALIASES = {
    "港漧": "BR17", "松山機楊": "BR13",
    "Exhibition Center": "BL23", "Nangang Exhibition Center": "BL23",
    "St.lgnatius High School": "O52",
    "台北101": "R03", "世貿": "R03", "台北世貿101": "R03", "Taipei 101": "R03",
    "台北火車站": "BL12", "Taipei Main": "BL12", "新店市公所": "G02",
    "Jiannan Road": "BR15", "Minquan West Road": "O11",
    "National Taiwan University Hospital": "R09", "Danshui": "R28",
    "CKS Memorial Hall": "G10", "SYS Memorial Hall": "BL17", "輔仁大學": "O19",
}

# Stations of two names that one changes between outside the gates. TDX does not say so.
WALKS = [("BL08", "Y17")]

# How the list of exits calls stations that have other names now; what is no station of the metro.
EXIT_NAMES = {"臺北車站": "台北車站", "先嗇": "先嗇宮", "台北世貿101": "台北101/世貿",
              "新店市公所": "新店區公所"}
EXIT_STRANGERS = {"貓纜動物園", "貓纜動物園內", "貓纜指南宮", "貓纜貓空", "中山地下街"}
EXIT_LIMIT = 400  # metres from the station's point; the largest that is kept is 388


def load(folder, name):
    return json.loads((folder / f"{name}.json").read_text("utf-8-sig"))


def degrees(x, y):
    """WGS84 degrees of TWD97 TM2 metres (zone 121), by the inverse series of Snyder, 8-17 to 8-25."""
    a, f, scale = 6378137.0, 1 / 298.257222101, 0.9999
    e2 = f * (2 - f)
    prime = e2 / (1 - e2)
    mu = y / scale / (a * (1 - e2 / 4 - 3 * e2**2 / 64 - 5 * e2**3 / 256))
    e1 = (1 - math.sqrt(1 - e2)) / (1 + math.sqrt(1 - e2))
    phi = (mu + (3 * e1 / 2 - 27 * e1**3 / 32) * math.sin(2 * mu)
           + (21 * e1**2 / 16 - 55 * e1**4 / 32) * math.sin(4 * mu)
           + 151 * e1**3 / 96 * math.sin(6 * mu) + 1097 * e1**4 / 512 * math.sin(8 * mu))
    c, t = prime * math.cos(phi)**2, math.tan(phi)**2
    w = 1 - e2 * math.sin(phi)**2
    n, r = a / math.sqrt(w), a * (1 - e2) / w**1.5
    d = (x - 250000) / (n * scale)
    latitude = phi - n * math.tan(phi) / r * (
        d**2 / 2 - (5 + 3 * t + 10 * c - 4 * c**2 - 9 * prime) * d**4 / 24
        + (61 + 90 * t + 298 * c + 45 * t**2 - 252 * prime - 3 * c**2) * d**6 / 720)
    longitude = (d - (1 + 2 * t + c) * d**3 / 6
                 + (5 - 2 * c + 28 * t - 3 * c**2 + 8 * prime + 24 * t**2) * d**5 / 120) / math.cos(phi)
    return math.degrees(latitude), 121 + math.degrees(longitude)


def metres(left, right):
    middle = math.radians((left[0] + right[0]) / 2)
    return math.hypot((left[0] - right[0]) * 110_780, (left[1] - right[1]) * 111_320 * math.cos(middle))


def names(chinese, english, japanese, korean):
    """A Japanese name that is the Chinese one is left out."""
    return [chinese, ENGLISH.get(english, english), "" if japanese == chinese else japanese, korean]


def record(kind, *fields):
    for field in fields:
        assert not set(field) & set("|\n\\\""), field
    return kind + " " + "|".join(fields)


def line_records(folder):
    for operator, prefix in OPERATORS.items():
        for line in load(folder, f"{operator}_Line"):
            name = line["LineName"]
            yield record("line", line["LineID"], prefix, line["LineColor"].lower(),
                         *names(name["Zh_tw"], name["En"], name["Ja"], name["Ko"]))


def stop_records(folder):
    for operator in OPERATORS:
        stops = {stop["StationID"]: stop for stop in load(folder, f"{operator}_Station")}
        for line in load(folder, f"{operator}_StationOfLine"):
            for place in line["Stations"]:
                stop = stops.pop(place["StationID"])
                name, position = stop["StationName"], stop["StationPosition"]
                assert name["Zh_tw"] == place["StationName"]["Zh_tw"]
                yield record("stop", line["LineID"], stop["StationID"],
                             f"{position['PositionLat']:.6f}", f"{position['PositionLon']:.6f}",
                             *names(name["Zh_tw"], name["En"], name["Ja"], name["Ko"]))
        assert not stops, stops


def service_records(folder):
    for operator in OPERATORS:
        for service in load(folder, f"{operator}_S2STravelTime"):
            hops = service["TravelTimes"]
            # From the far end, since the codes then ascend; the times hold both ways.
            words = [hops[-1]["ToStationID"]]
            for index in reversed(range(len(hops))):
                hop = hops[index]
                assert index + 1 == len(hops) or hop["ToStationID"] == hops[index + 1]["FromStationID"]
                words.append(f"{hop['RunTime']} {hop['FromStationID']}")
                # The stop is at the station that the hop starts from; the first one has none.
                assert (hop["StopTime"] == 0) == (index == 0)
                if index:
                    words[-1] += f":{hop['StopTime']}"
            yield record("service", service["LineID"], service["RouteID"], " ".join(words))


def exit_records(folder):
    """The exits by the first code of their station, and a report of what was left out."""
    places, first = {}, {}
    for operator in OPERATORS:
        for stop in load(folder, f"{operator}_Station"):
            name, position = stop["StationName"]["Zh_tw"], stop["StationPosition"]
            places.setdefault(name, []).append((position["PositionLat"], position["PositionLon"]))
            first.setdefault(name, stop["StationID"])
    text = (folder / "../exits-2015-big5.csv").read_bytes().decode("cp950", errors="replace")
    exits, strangers, far, widest = {}, 0, [], 0
    for _, name, number, x, y in list(csv.reader(text.splitlines()))[2:]:
        station = name.split("出口")[0]
        if station not in places:
            station = EXIT_NAMES.get(station) or station.removesuffix("站")
            station = EXIT_NAMES.get(station, station)
        if station in EXIT_STRANGERS:
            strangers += 1
            continue
        latitude, longitude = degrees(float(x), float(y))
        distance = min(metres((latitude, longitude), place) for place in places[station])
        if distance > EXIT_LIMIT:
            far.append((name, round(distance)))
            continue
        widest = max(widest, distance)
        number = number.removeprefix("出口")
        exits.setdefault(first[station], []).append(
            ("-" if number == "0" else number, f"{latitude:.5f} {longitude:.5f}"))
    count = sum(map(len, exits.values()))
    report = (f"{count} exits of {len(exits)} stations, at most {widest:.0f} m away; "
              f"left out: {strangers} of the gondola and the mall, too far: {far or 'none'}")
    def order(exit):
        digits = "".join(filter(str.isdigit, exit[0]))
        return int(digits or 0), exit

    records = [record("exits", code, *(" ".join(exit) for exit in sorted(found, key=order)))
               for code, found in exits.items()]
    return sorted(records), report


def train_records(folder):
    rows = {}
    for row in load(folder, "TRTC_FirstLastTimetable"):
        assert all(row["ServiceDay"].values()), row
        rows.setdefault(row["StationID"], []).append(
            f"{row['DestinationStaionID']} {row['FirstTrainTime']} {row['LastTrainTime']}")
    return [record("trains", code, *found) for code, found in rows.items()]


def parts(folder, version):
    exits, report = exit_records(folder)
    return {
        "Lines": [f"metro 1|{version}", *line_records(folder), *service_records(folder),
                  *(record("walk", *pair) for pair in WALKS),
                  *(record("alias", code, name) for name, code in ALIASES.items())],
        "Stops": list(stop_records(folder)),
        "Exits": exits,
        "Trains": train_records(folder),
    }, report


def wrapped(line, width=92):
    """The line in a Swift literal, broken after blanks and bars."""
    while len(line) > width:
        cut = max(line.rfind(" ", 0, width), line.rfind("|", 0, width)) + 1
        yield line[:cut] + "\\"
        line = line[cut:]
    yield line


def swift(name, records, version):
    body = "\n".join("    " + line for text in records for line in wrapped(text))
    return f'''// Written by Scripts/Generators/metro-network.py from the facts of {version}; not to be edited by hand.

extension TaipeiNetwork {{
  static let {name.lower()} = """
{body}
    """
}}
'''


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--output", type=pathlib.Path)
    parser.add_argument("--data", type=pathlib.Path, default=SHARED / "tdx-full")
    parser.add_argument("--version", default="2026-07-24")
    options = parser.parse_args()
    records, report = parts(options.data, options.version)
    if options.output:
        lines = [line for part in records.values() for line in part]
        options.output.write_text("\n".join(lines) + f"\nend {len(lines)}\n", "utf-8")
    else:
        for name, part in records.items():
            path, text = TARGET / f"TaipeiNetwork+{name}.swift", swift(name, part, options.version)
            if options.check:
                if path.read_text("utf-8") != text:
                    sys.exit(f"{path.name} would change")
                continue
            path.write_text(text, "utf-8")
            print(f"{path.name}: {len(text.encode()):,} bytes, {text.count(chr(10)):,} lines")
    print(report)


if __name__ == "__main__":
    main()
