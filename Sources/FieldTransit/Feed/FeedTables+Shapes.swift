internal import FieldCore

extension FeedTables {
  /// Reads the points of the shapes, in their order.
  mutating func readShapes(_ files: FeedFiles) throws(FieldError) {
    guard let file = try files.file("shapes.txt") else { return }
    var log = log
    var rows: [(shape: UInt32, sequence: Int32, latitude: Int32, longitude: Int32)] = []
    let columns = ["shape_id", "shape_pt_lat", "shape_pt_lon", "shape_pt_sequence"]
    try file.forEachRow(columns, required: 4, &log) { row, log in
      guard let latitude = row.degrees(1, upTo: 90), let longitude = row.degrees(2, upTo: 180),
        let sequence = row.number(3), !row.isEmpty(0)
      else { return log.add("it has no location or sequence", key: row.text(0), row, file) }
      let shape = row.withBytes(0) { shapeIDs.insert($0).number }
      rows.append((shape, sequence, latitude, longitude))
    }
    rows.sort { ($0.shape, $0.sequence) < ($1.shape, $1.sequence) }
    shapePoints = rows.map { ($0.latitude, $0.longitude) }
    shapeStarts = [UInt32](repeating: 0, count: shapeIDs.count + 1)
    for row in rows { shapeStarts[Int(row.shape) + 1] += 1 }
    for shape in 0..<shapeIDs.count { shapeStarts[shape + 1] += shapeStarts[shape] }
    self.log = log
  }
}
