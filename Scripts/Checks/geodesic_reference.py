#!/usr/bin/env python3
"""Writes Tests/Fixtures/geography/geodesics.bin: the distances that the tests compare with.

10,000 pairs of coordinates follow from a seed (SplitMix64, the tests' SeededGenerator; only + - * /,
so that Swift makes the same doubles), and only their distances are stored, as little-endian doubles.

Judges: geographiclib (Karney's own Python port) from 10 m up. Below, where its rounding of some
nanometres shows, the chord through the ellipsoid in 50 digits, bent to an arc.

    python3 -m venv .build/geo-venv && .build/geo-venv/bin/pip install geographiclib mpmath
    .build/geo-venv/bin/python Scripts/Checks/geodesic_reference.py
"""

import pathlib
import struct
import sys

from geographiclib.geodesic import Geodesic
from mpmath import cos, mp, mpf, pi, sin, sqrt

SEED = 20130620
COUNT = 10_000
MASK = (1 << 64) - 1


class SplitMix64:
    def __init__(self, seed):
        self.state = seed

    def next(self):
        self.state = (self.state + 0x9E3779B97F4A7C15) & MASK
        mixed = self.state
        mixed = ((mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9) & MASK
        mixed = ((mixed ^ (mixed >> 27)) * 0x94D049BB133111EB) & MASK
        return mixed ^ (mixed >> 31)

    def unit(self):
        """0 ..< 1."""
        return float(self.next() >> 11) / 9007199254740992.0

    def between(self, low, high):
        return low + (high - low) * self.unit()

    def around(self, spread):
        return self.between(-spread, spread)


def clamp(value, low, high):
    return low if value < low else high if value > high else value


# Spreads in degrees; a degree is about 111 km.
TINY = [1e-14, 1e-13, 1e-12, 1e-11, 1e-10, 1e-9, 1e-8, 1e-7, 1e-6, 9e-6]
NEAR = [1e-4, 1e-3, 1e-2, 0.1, 0.2, 0.3, 0.5, 1.0, 2.0, 5.0]
OPPOSITE = [0.0, 1e-12, 1e-9, 1e-6, 1e-4, 1e-2, 0.1, 0.5, 1.0, 2.0]


def pair(kind, r):
    """Two coordinates of one of ten kinds; the calls of the generator are in a fixed order."""
    step = r.next() % 10
    flag = r.next() % 4
    lat1 = r.between(-90, 90)
    lon1 = r.between(-180, 180)
    if kind == 0 or kind == 1:  # anywhere
        return lat1, r.between(-180, 360), r.between(-90, 90), r.between(-180, 360)
    if kind == 2:  # around the poles
        u = r.unit()
        lat1 = 90.0 if flag == 0 else 90 - 2 * u * u
        lat2 = 90 - r.between(0, 2)
        if step < 3:
            lat2 = -lat2
        if step == 3:
            lat2 = lat1
        if flag == 1:
            lat1, lat2 = -lat1, -lat2
        return lat1, lon1, lat2, r.between(-180, 360)
    if kind == 3:  # along the equator
        lat1 = 0.0 if flag < 2 else r.around(NEAR[step] / 1000)
        lat2 = 0.0 if flag % 2 == 0 else r.around(NEAR[step] / 1000)
        return lat1, lon1, lat2, r.between(-180, 360)
    if kind == 4:  # along a meridian, or over a pole
        lon1 = r.between(-180, 0)
        lon2 = lon1 if flag < 2 else lon1 + 180 if flag == 2 else lon1 + 360
        return lat1, lon1, r.between(-90, 90), lon2
    if kind == 5:  # nearly antipodal
        lat2 = clamp(-lat1 + r.around(OPPOSITE[step]), -90, 90)
        if flag == 0:
            lat1, lat2 = 0.0, r.around(OPPOSITE[step])
        return lat1, lon1, lat2, clamp(lon1 + 180 + r.around(OPPOSITE[step]), -180, 360)
    if kind == 6:  # 1e-9 to 1 m
        if flag == 0:
            lat1 = lat1 / 1e6
        lat2 = clamp(lat1 + r.around(TINY[step]), -90, 90)
        return lat1, lon1, lat2, clamp(lon1 + r.around(TINY[step]), -180, 360)
    if kind == 7:  # across the antimeridian
        lat2 = clamp(lat1 + r.around(NEAR[step]), -90, 90)
        lon1 = 180 - r.between(0, NEAR[step])
        lon2 = -180 + r.between(0, NEAR[step])
        return lat1, lon1, lat2, lon2 + 360 if flag == 0 else lon2
    if kind == 8:  # metres to hundreds of kilometres
        lat2 = clamp(lat1 + r.around(NEAR[step]), -90, 90)
        return lat1, lon1, lat2, clamp(lon1 + r.around(NEAR[step]), -180, 360)
    # longitudes of 180 to 360, and equal or mirrored latitudes
    lat2 = lat1 if flag == 0 else -lat1 if flag == 1 else r.between(-90, 90)
    return lat1, r.between(180, 360), lat2, r.between(-180, 360)


def pairs():
    r = SplitMix64(SEED)
    return [pair(index % 10, r) for index in range(COUNT)]


def in_space(lat, lon, a, b):
    phi, lam = mpf(lat) * pi / 180, mpf(lon) * pi / 180
    n = a * a / sqrt((a * cos(phi)) ** 2 + (b * sin(phi)) ** 2)
    return n * cos(phi) * cos(lam), n * cos(phi) * sin(lam), n * (b / a) ** 2 * sin(phi)


def exact_when_small(lat1, lon1, lat2, lon2):
    mp.dps = 50
    a = mpf(6378137)
    b = a * (1 - 1 / mpf("298.257223563"))
    p, q = in_space(lat1, lon1, a, b), in_space(lat2, lon2, a, b)
    chord = sqrt(sum((x - y) ** 2 for x, y in zip(p, q)))
    if chord < mpf("1e-30"):  # one place under two longitudes at a pole
        return 0.0
    return float(chord * (1 + chord**2 / 24 / mpf(6371000) ** 2))


def distance(lat1, lon1, lat2, lon2):
    meters = Geodesic.WGS84.Inverse(lat1, lon1, lat2, lon2, Geodesic.DISTANCE)["s12"]
    return exact_when_small(lat1, lon1, lat2, lon2) if meters < 10 else meters


def main():
    root = pathlib.Path(__file__).resolve().parents[2]
    target = root / "Tests/Fixtures/geography/geodesics.bin"
    target.parent.mkdir(parents=True, exist_ok=True)
    table = pairs()
    target.write_bytes(b"".join(struct.pack("<d", distance(*p)) for p in table))
    print(f"{len(table)} distances in {target}")
    if len(sys.argv) > 1:  # the inputs too, for a look from elsewhere
        pathlib.Path(sys.argv[1]).write_bytes(b"".join(struct.pack("<4d", *p) for p in table))


if __name__ == "__main__":
    main()
