import FieldKit

/// A map of the world as SVG: plate carrée, with rough coasts drawn by hand.
struct WorldMap {
  private var shades: [(box: GeoBox, weight: Int)] = []
  private var marks = ""

  mutating func shade(_ box: GeoBox, weight: Int) { shades.append((box, weight)) }

  mutating func mark(_ coordinate: Coordinate, size: Double, label: String) {
    let (x, y) = Self.point(coordinate.normalized.longitude, coordinate.latitude)
    marks += """
      <circle cx="\(x)" cy="\(y)" r="\(size)"><title>\(HTMLPage.escaped(label))</title></circle>\n
      """
  }

  var svg: String {
    let greatest = Double(shades.map(\.weight).max() ?? 1)
    let cells = shades.map { shade in
      let (x, y) = Self.point(shade.box.west, shade.box.north)
      let (right, bottom) = Self.point(shade.box.east, shade.box.south)
      let opacity = 0.1 + 0.35 * Double(shade.weight) / greatest
      return """
        <rect x="\(x)" y="\(y)" width="\(right - x)" height="\(bottom - y)" fill-opacity="\(opacity)"/>
        """
    }
    let land = Self.coasts.map { coast in
      "<path d=\"M"
        + coast.map { point in
          let (x, y) = Self.point(point.0, point.1)
          return "\(x) \(y)"
        }.joined(separator: "L") + "Z\"/>"
    }
    let meridians = stride(from: -150.0, through: 150, by: 30).map { longitude in
      let (x, _) = Self.point(longitude, 0)
      return "<path d=\"M\(x) 0V480\"/>"
    }
    let parallels = stride(from: -60.0, through: 60, by: 30).map { latitude in
      let (_, y) = Self.point(0, latitude)
      return "<path d=\"M0 \(y)H960\"/>"
    }
    return """
      <svg viewBox="0 0 960 480" role="img" aria-label="Map of meteorites">
      <rect width="960" height="480" fill="var(--sea, #dfe8ee)"/>
      <g fill="var(--land, #f4efe3)" stroke="var(--shore, #c9c0aa)" stroke-width="0.8">\(land.joined(separator: "\n"))</g>
      <g stroke="var(--grid, #b8c6d0)" stroke-width="0.5" fill="none">\((meridians + parallels).joined())</g>
      <g fill="var(--warm, #b3541e)">\(cells.joined(separator: "\n"))</g>
      <g fill="var(--point, #7a1f1f)" fill-opacity="0.8" stroke="var(--edge, #fff)" stroke-width="0.8">
      \(marks)</g></svg>
      """
  }

  private static func point(_ longitude: Double, _ latitude: Double) -> (Double, Double) {
    (((longitude + 180) * 8 / 3 * 10).rounded() / 10, ((90 - latitude) * 8 / 3 * 10).rounded() / 10)
  }

  /// Longitude and latitude, good enough to see which continent is which.
  private static let coasts: [[(Double, Double)]] = [
    [
      (-168, 66), (-156, 71), (-128, 70), (-110, 68), (-94, 72), (-82, 68), (-94, 59), (-82, 53),
      (-78, 62),
      (-65, 59), (-56, 52), (-66, 45), (-70, 42), (-75, 38), (-81, 31), (-80, 25), (-84, 30),
      (-97, 28),
      (-97, 20), (-90, 21), (-87, 16), (-83, 10), (-78, 8), (-85, 11), (-95, 16), (-106, 22),
      (-115, 31),
      (-124, 40), (-124, 48), (-134, 57), (-150, 60), (-164, 55), (-162, 60),
    ],
    [
      (-78, 8), (-72, 12), (-60, 9), (-50, 1), (-35, -6), (-39, -17), (-48, -26), (-58, -38),
      (-66, -45),
      (-69, -54), (-75, -50), (-72, -32), (-70, -18), (-81, -5),
    ],
    [
      (-10, 36), (-9, 43), (-1, 44), (-5, 48), (8, 54), (10, 57), (14, 54), (21, 57), (24, 60),
      (18, 63),
      (24, 66), (17, 61), (11, 59), (5, 60), (12, 66), (25, 71), (41, 67), (60, 69), (75, 73),
      (104, 78),
      (140, 73), (170, 70), (180, 68), (178, 62), (162, 58), (156, 51), (160, 61), (141, 53),
      (130, 42),
      (127, 35), (121, 39), (122, 30), (110, 21), (106, 10), (100, 13), (104, 1), (98, 10),
      (94, 17),
      (88, 22), (80, 15), (77, 8), (72, 20), (66, 25), (57, 26), (50, 30), (56, 24), (59, 22),
      (45, 13),
      (39, 21), (34, 28), (35, 36), (27, 37), (23, 40), (19, 42), (13, 45), (18, 40), (15, 38),
      (9, 44),
      (3, 43), (-2, 37),
    ],
    [
      (-6, 36), (10, 37), (20, 31), (33, 31), (43, 12), (51, 12), (40, -5), (40, -15), (33, -27),
      (26, -34),
      (18, -34), (12, -17), (9, 0), (8, 4), (-8, 4), (-17, 14), (-16, 22),
    ],
    [
      (114, -22), (122, -17), (131, -12), (137, -16), (142, -11), (153, -26), (150, -37),
      (140, -38),
      (130, -32), (115, -34),
    ],
    [
      (-180, -78), (-150, -76), (-100, -73), (-75, -72), (-60, -63), (-62, -75), (-30, -77),
      (0, -70),
      (50, -67), (110, -66), (150, -69), (170, -72), (165, -78), (180, -78), (180, -90),
      (-180, -90),
    ],
    [(-45, 60), (-22, 70), (-20, 80), (-35, 83), (-60, 82), (-70, 77), (-53, 66)],
    [(44, -12), (50, -16), (47, -25), (44, -22)],
    [(130, 31), (136, 34), (141, 36), (145, 44), (141, 45), (139, 38), (132, 35)],
    [(-5, 50), (1, 51), (-2, 56), (-4, 58), (-6, 56)],
    [(96, 5), (106, -6), (119, -9), (117, 4), (109, 1)],
    [(131, -1), (141, -3), (150, -10), (138, -8)],
    [(167, -46), (173, -35), (178, -38), (172, -43)],
    [(-24, 65), (-14, 65), (-19, 63)],
    [(120, 22), (122, 25), (121, 25)],
  ]
}
