/// The format of the rows in a body.
@usableFromInline
package enum RowFormat: Sendable, Hashable {
  /// One JSON array of objects.
  case jsonArray
  /// One JSON object per line, or a sequence of them after record separators; they may be GeoJSON
  /// features.
  case ndjson
  /// Socrata's `rows.json`: arrays of cells under `data`, and the names of the columns under
  /// `meta`.
  case positionalJSON
  /// A GeoJSON `FeatureCollection`, or the features of ArcGIS.
  case geoJSON
  /// Separated values with a header line, which determines the separator.
  case csv
  /// A JSON object that contains an array of objects, or an object of objects, under these keys,
  /// outermost first, such as `["result", "results"]`; without keys, the object itself is one of
  /// objects.
  case envelope(path: [String])
}

extension RowFormat: CustomStringConvertible {
  /// A short name, for messages.
  @usableFromInline
  package var description: String {
    switch self {
    case .jsonArray: "JSON array"
    case .ndjson: "NDJSON"
    case .positionalJSON: "rows.json"
    case .geoJSON: "GeoJSON"
    case .csv: "CSV"
    case .envelope(let path):
      path.isEmpty ? "JSON object of objects" : "JSON under \(path.joined(separator: "."))"
    }
  }
}
