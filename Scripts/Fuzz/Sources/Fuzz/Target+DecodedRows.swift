@testable internal import FieldCore

extension Target {
  /// Any body, read by the keys of a type and by the accessors of rows.
  static let decodedRows = Target(
    "decoded-rows",
    texts: [
      "id,name,size,count,open,kind,lat,lng,tags,part\n1, a ,\"1,5\",2,Y,oak,25.5,121.5,\"[1]\",\"{\"\"x\"\":1}\"\n",
      "id;size;count\nNA;1.234,5;60 000\nTW;x;1e3\n",
      #"[{"id":"1.0","name":"\u53f0","size":"１２","count":2.5,"open":true,"kind":"x","place":{"lat":1,"lng":"2"},"tags":["a",{}],"part":{"x":"1","part":{"x":[2]}}}]"#,
      #"{"type":"FeatureCollection","features":[{"type":"Feature","id":2,"geometry":{"type":"Point","coordinates":[6.1,50.8]},"properties":{"name":"x"}}]}"#,
      #"{"meta":{"view":{"columns":[{"fieldName":"id"},{"fieldName":"place"},{"fieldName":"part"}]}},"data":[["1","POINT (1 2)","{\"x\":7"],["2",[null,"1","2"],null]]}"#,
      "{\"id\":1,\"tags\":[[[]]],\"part\":[]}\n{\"id\":2,\"part\":\"{}\"}\n",
    ]
  ) { text in
    let bytes = Array(text.utf8)
    let decoded = try readable { try Batch<Plot>(reading: bytes) }
    let read = try readable { try Batch<ReadPlot>(reading: bytes) }
    hold((decoded == nil) == (read == nil), "Only one of the two could read the body")
    guard let decoded, let read else { return }
    holdEqual(decoded.records.count, read.records.count, "The number of records")
    holdEqual(decoded.failures.map(\.index), read.failures.map(\.index), "The failures")
    for (one, other) in zip(decoded.records, read.records) {
      holdEqual(one.id, other.id, "The ID")
      holdEqual(one.name, other.name, "The name")
      holdEqual(one.size, other.size, "The size")
      holdEqual(one.count, other.count, "The count")
      holdEqual(one.open, other.open, "The Boolean value")
    }
  }
}

/// A record that is read by its keys.
private struct Plot: CatalogRecord {
  enum Kind: String, Codable { case oak, ash }

  indirect enum Box: Codable, Equatable {
    case part(Part)

    init(from decoder: any Decoder) throws { self = .part(try Part(from: decoder)) }
    func encode(to encoder: any Encoder) throws {}
  }

  struct Part: Codable, Equatable {
    var x: Int?
    var part: Box?
  }

  var id: String
  var name: String?
  var size: Double?
  var count: Int?
  var open: Bool?
  var kind: Kind?
  var place: Coordinate?
  var tags: [String]?
  var part: Part?
}

/// The same record, read by the accessors of rows.
private struct ReadPlot: CatalogRecord {
  enum Columns: String, CodingKey { case id, name, size, count, open }

  static let columns = Plot.columns

  var id: String
  var name: String?
  var size: Double?
  var count: Int?
  var open: Bool?

  init(row: borrowing SourceRow) throws(RowProblem) {
    guard let id = row.id(Columns.id) else { throw RowProblem("There is no ID.") }
    self.id = id
    name = row.trimmedText(Columns.name)
    size = row.double(Columns.size)
    count = row.integer(Columns.count)
    open = row.bool(Columns.open)
  }
}
