import FieldCore
import Foundation
import TestSupport

/// A record of a few columns, for the tests of the readers.
struct RowStone: RowRecord, Hashable {
  static let rowColumns = [
    RowColumn("id"), RowColumn("name"), RowColumn("mass", "mass (g)"), RowColumn("geometry"),
  ]
  static let rowKey = 0

  var id: String
  var name: String?
  var mass: Double?

  init(id: String, name: String? = nil, mass: Double? = nil) {
    self.id = id
    self.name = name
    self.mass = mass
  }

  init(row: borrowing SourceRow) throws(RowProblem) {
    guard let id = row.trimmedText(0) else { throw RowProblem("it has no id") }
    self.init(id: id, name: row.text(1), mass: row.double(2))
  }
}

/// The rows of a body as stones.
func stones(_ text: String, _ format: RowFormat? = nil) throws -> RowBatch<RowStone> {
  try RowReader.read(Array(text.utf8), format: format)
}

/// What a closure says of every row of a body.
func rows<Value>(
  _ bytes: [UInt8], _ columns: [String], format: RowFormat? = nil,
  _ value: (borrowing SourceRow) -> Value
) throws -> [Value] {
  var values: [Value] = []
  _ = try RowReader.forEachRow(
    of: bytes, columns: columns.map { RowColumn($0) }, key: 0, format: format
  ) { row throws(RowProblem) in values.append(value(row)) }
  return values
}

/// A text in UTF-16 with a byte-order mark.
func utf16(_ text: String, isLittleEndian: Bool) -> [UInt8] {
  ("\u{FEFF}" + text).utf16.flatMap { unit in
    let bytes = [UInt8(truncatingIfNeeded: unit), UInt8(unit >> 8)]
    return isLittleEndian ? bytes : bytes.reversed()
  }
}

/// The code of the error that a closure throws; nil when it throws none.
func code(_ body: () throws -> Void) -> FieldError.Code? {
  do {
    try body()
    return nil
  } catch {
    return (error as? FieldError)?.code
  }
}

/// The error that a closure throws.
func failure(_ body: () throws -> Void) -> FieldError? {
  do {
    try body()
    return nil
  } catch {
    return error as? FieldError
  }
}

/// One body of every format, all with the same rows: 1 Aachen 21, 2 Århus without mass, 3 Abee 0.5.
enum SmallBody {
  static let rows = [
    RowStone(id: "1", name: "Aachen", mass: 21), RowStone(id: "2", name: "Århus"),
    RowStone(id: "3", name: "Abee", mass: 0.5),
  ]
  static let array = """
    [{"id":"1","name":"Aachen","mass":"21"},
    {"name":"\\u00C5rhus","x":{"y":[1,{"z":null}]},"id":2},{"mass":5e-1,"id":"3","name":"Abee"}]
    """
  static let lines = """
    {"id":"1","name":"Aachen","mass":"21"}
    {"name":"Århus","x":{"y":[1,{"z":null}]},"id":2}
    {"mass":5e-1,"id":"3","name":"Abee"}

    """
  static let envelope = """
    {"result":{"limit":20,"count":272,"results":[{"id":"1","name":"Aachen","mass":"21"},
    {"id":2,"name":"Århus"},{"id":"3","name":"Abee","mass":0.5}]}}
    """
  static let geoJSON = """
    {"type":"FeatureCollection","features":[
    {"type":"Feature","geometry":{"type":"Point","coordinates":[6.1,50.8]},
    "properties":{"id":"1","name":"Aachen","mass":"21"}},
    {"type":"Feature","id":2,"properties":{"name":"Århus"},"geometry":null},
    {"type":"Feature","properties":{"id":"3","name":"Abee","mass":"0.5"},"id":"x"}]}
    """
  static let positional = """
    {"meta":{"view":{"columns":[{"name":"id","fieldName":":id"},
    {"name":"name","fieldName":"name","cachedContents":{"non_null":"3","null":0}},
    {"name":"id","fieldName":"id"},
    {"name":"mass (g)","fieldName":"mass","cachedContents":{"non_null":2,"null":"1"}}]}},
    "data":[["row-a","Aachen","1","21"],["row-b","Århus","2",null],["row-c","Abee","3",0.5]]}
    """
  static let csv = """
    mass (g),extra,"name",id\r\n21,,Aachen,1\r\n,"a ""b""\n,c","Århus",2\r\n0.5,x,Abee,3\r\n
    """
  static let all: [(RowFormat, String)] = [
    (.jsonArray, array), (.ndjson, lines), (.envelope(path: ["result", "results"]), envelope),
    (.geoJSON, geoJSON), (.positionalJSON, positional), (.csv, csv),
  ]
}
