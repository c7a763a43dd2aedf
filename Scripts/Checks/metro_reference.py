#!/usr/bin/env python3
"""Prints the best routes of Taipei's metro, as an independent judge of MetroNetwork's.

    Scripts/Checks/metro_reference.py [--transfer SECONDS] [--walk SECONDS|none] [FROM…]

It reads TDX's own answers, not the compact form that the package has, and searches in another way:
Dijkstra's algorithm forward over the states of a traveller (at a station, arriving on a train, leaving
on a train), with all patterns of trains, short turns among them. The rules are those of the doc comment
of MetroNetwork.route(from:to:preferring:options:).

For each pair of stations (those FROM the given ones, or all) and each preference it prints a line:
from, to, preference, seconds, transfers, and the legs, each as the line (or `walk`) and its stations.
"""
import argparse
import heapq
import json
import pathlib
import sys

DATA = pathlib.Path(__file__).resolve().parents[2] / "../shared/data/metro/tdx-full"
OPERATORS = ("TRTC", "NTMC")
WALKS = [("新埔", "新埔民生")]


def load(name):
    return json.loads((DATA / f"{name}.json").read_text("utf-8-sig"))


class Network:
    def __init__(self):
        self.name_of, self.order, self.patterns = {}, {}, []
        for operator in OPERATORS:
            for line in load(f"{operator}_StationOfLine"):
                for stop in line["Stations"]:
                    name = stop["StationName"]["Zh_tw"]
                    self.name_of[stop["StationID"]] = name
                    self.order.setdefault(name, len(self.order))
            for pattern in load(f"{operator}_S2STravelTime"):
                hops = pattern["TravelTimes"]
                codes = [hops[0]["FromStationID"]] + [hop["ToStationID"] for hop in hops]
                runs = [hop["RunTime"] for hop in hops]
                stands = {hop["FromStationID"]: hop["StopTime"] for hop in hops[1:]}
                self.patterns.append((pattern["LineID"], codes, runs, stands))
        # Where one may board: the pattern, the place in it, and the direction.
        self.boarding = {name: [] for name in self.order}
        for number, (_, codes, _, _) in enumerate(self.patterns):
            for place, code in enumerate(codes):
                if place + 1 < len(codes):
                    self.boarding[self.name_of[code]].append((number, place, 1))
                if place > 0:
                    self.boarding[self.name_of[code]].append((number, place, -1))
        self.walks = {}
        for first, second in WALKS:
            self.walks.setdefault(first, []).append(second)
            self.walks.setdefault(second, []).append(first)

    def edges(self, state, transfer, walk):
        """The states after one, and what the step costs: seconds, transfers, stations."""
        kind = state[0]
        if kind == "at":
            _, name, how = state
            change = (transfer, 1, 0) if how == "train" else (0, 0, 0)
            for number, place, step in self.boarding[name]:
                yield ("leave", number, place, step), change
            if how != "walk" and walk is not None:
                for other in self.walks.get(name, ()):
                    yield ("at", other, "walk"), (walk, 1, 1)
            return
        _, number, place, step = state
        _, codes, runs, stands = self.patterns[number]
        if kind == "leave":
            run = runs[place] if step == 1 else runs[place - 1]
            yield ("arrive", number, place + step, step), (run, 0, 1)
        else:
            yield ("at", self.name_of[codes[place]], "train"), (0, 0, 0)
            if 0 <= place + step < len(codes):
                yield ("leave", number, place, step), (stands[codes[place]], 0, 0)

    def routes(self, start, preference, transfer, walk):
        """For each goal the cost and the legs of the best route."""

        def rank(cost):
            seconds, transfers, stations = cost
            first = (seconds, transfers) if preference == "fewestMinutes" else (transfers, seconds)
            return (*first, stations)

        origin = ("at", start, "start")
        costs, before, done = {origin: (0, 0, 0)}, {origin: []}, set()
        queue = [((0, 0, 0), 0, origin)]
        pushed = 0
        while queue:
            _, _, state = heapq.heappop(queue)
            if state in done:
                continue
            done.add(state)
            for following, step in self.edges(state, transfer, walk):
                cost = tuple(a + b for a, b in zip(costs[state], step))
                known = costs.get(following)
                if known is None or rank(cost) < rank(known):
                    costs[following], before[following] = cost, [state]
                    pushed += 1
                    heapq.heappush(queue, (rank(cost), pushed, following))
                elif cost == known:
                    before[following].append(state)
        for goal in self.order:
            if goal == start:
                yield goal, (0, 0, 0), []
                continue
            ends = [("at", goal, how) for how in ("train", "walk") if ("at", goal, how) in costs]
            if not ends:
                continue
            best = min(rank(costs[end]) for end in ends)
            ends = [end for end in ends if rank(costs[end]) == best]
            legs = min((self.legs(path) for end in ends for path in self.paths(end, before)),
                       key=self.key)
            yield goal, costs[ends[0]], legs

    def paths(self, state, before):
        if not before[state]:
            yield [state]
        for earlier in before[state]:
            for path in self.paths(earlier, before):
                yield [*path, state]

    def legs(self, path):
        """A path's rides and walks, as the pattern's number (all of them + 1 for a walk) and stations."""
        legs = []
        for state, following in zip(path, path[1:]):
            if following[0] == "at" and following[2] == "walk":
                legs.append((len(self.patterns), [state[1], following[1]]))
            elif state[0] == "at":
                legs.append((following[1], [state[1]]))
            elif following[0] == "arrive":
                legs[-1][1].append(self.name_of[self.patterns[following[1]][1][following[2]]])
        return legs

    def key(self, legs):
        return [(number, self.order[stations[-1]]) for number, stations in legs]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--transfer", type=int, default=300)
    parser.add_argument("--walk", default="480")
    parser.add_argument("start", nargs="*")
    options = parser.parse_args()
    walk = None if options.walk == "none" else int(options.walk)
    network = Network()
    for start in options.start or network.order:
        for preference in ("fewestMinutes", "fewestTransfers"):
            for goal, cost, legs in network.routes(start, preference, options.transfer, walk):
                words = ["walk" if number == len(network.patterns) else network.patterns[number][0]
                         for number, _ in legs]
                ways = [" ".join([word, *stations]) for word, (_, stations) in zip(words, legs)]
                print(start, goal, preference, cost[0], cost[1], "|".join(ways), sep="\t")


if __name__ == "__main__":
    sys.stdout.reconfigure(encoding="utf-8")
    main()
