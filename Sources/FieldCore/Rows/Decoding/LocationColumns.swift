/// The cells in which a location may be: one of the property's own name, two with a latitude and a longitude, or one with a usual name.
struct LocationColumns {
  /// The column of the property's own name, or -1 if there is none.
  var own: Int
  /// The columns of a latitude and a longitude.
  var pairs: [(latitude: Int, longitude: Int)] = []
  /// Other columns that may contain the whole location.
  var others: [Int] = []

  /// The usual names of a latitude and a longitude.
  private static let usualPairs = [
    ("latitude", "longitude"), ("lat", "lng"), ("lat", "lon"), ("lat", "long"), ("緯度", "經度"),
    ("纬度", "经度"), ("緯度", "経度"), ("위도", "경도"), ("PositionLat", "PositionLon"),
    ("wgs84_lat", "wgs84_lng"), ("wgs84_lat", "wgs84_lon"),
  ]
  /// The usual names of a location.
  private static let usualNames = [
    "location", "geometry", "the_geom", "geom", "geolocation", "geo_point_2d", "geo_point",
    "geocoded_column", "georeference", "point", "coordinates", "shape", "wkt", "position", "latlng",
  ]

  /// Returns groups of names of a latitude and a longitude for a property, each of which may be combined with the others of its group.
  private static func groups(of name: String, isOnly: Bool) -> [[(String, String)]] {
    // Names match regardless of case, so this is `startLat`, too.
    let endings = [
      ("_latitude", "_longitude"), ("_lat", "_lng"), ("_lat", "_lon"), ("_lat", "_long"),
      ("_y", "_x"), ("latitude", "longitude"), ("lat", "lng"), ("lat", "lon"),
    ]
    let own = endings.map { (name + $0.0, name + $0.1) }
    return isOnly ? [own, usualPairs, [("wgsy", "wgsx")], [("y", "x")]] : [own]
  }

  /// Finds the columns by their names with a function that returns -1 for an unknown name.
  init(of name: String, isOnly: Bool, column: (String) -> Int) {
    own = column(name)
    for group in Self.groups(of: name, isOnly: isOnly) {
      let longitudes = group.map { column($0.1) }.uniqued().filter { $0 >= 0 }
      for latitude in group.map({ column($0.0) }).uniqued() where latitude >= 0 {
        for longitude in longitudes where !pairs.contains(where: { $0 == (latitude, longitude) }) {
          pairs.append((latitude, longitude))
        }
      }
    }
    if isOnly {
      others = Self.usualNames.map(column).uniqued().filter { $0 >= 0 && $0 != own }
    }
  }

  /// Returns the columns to read besides those that are known, so that a location is found.
  static func columns(of name: String, isOnly: Bool, besides known: RowSchema) -> [RowColumn] {
    let pairs = groups(of: name, isOnly: isOnly).flatMap(\.self)
    let groups = [pairs.map(\.0), pairs.map(\.1), isOnly ? usualNames : []]
    return groups.compactMap { names in
      let unknown = names.uniqued().filter { known.match($0) == nil }
      return unknown.isEmpty ? nil : RowColumn(names: unknown)
    }
  }
}
