@testable internal import FieldCore

extension Target {
  static let rows: [Target] = [csv, jsonRows, json, decodedRows]

  private static let csv = Target(
    "csv",
    texts: [
      "mass (g),extra,\"name\",id\r\n21,,Aachen,1\r\n,\"a \"\"b\"\"\n,c\",\"Århus\",2\r\n0.5,x,Abee,3\r\n",
      "title\nid;name;mass\n;;;\n1;a;2,5\n", "id\tname\n1\ta\n", "id|name|mass\n1|\"x\"|1e400\n",
      "\u{FEFF}sep=;\nid;name\n1;b\n", "n\u{35A}\u{345},id\n\u{35A}\u{345}x,1\n",
    ]
  ) { text in try checkRows(Array(text.utf8), .csv) }

  private static let jsonRows = Target(
    "json-rows",
    texts: [
      #"[{"id":"1","name":"Aachen","mass":"21"},{"name":"\u00C5rhus","x":{"y":[1,{"z":null}]},"id":2}]"#,
      "{\"id\":\"1\",\"name\":\"Aachen\",\"mass\":\"21\"}\n{\"id\":2}\n",
      #"{"result":{"limit":20,"count":272,"results":[{"id":"1","name":"Aachen","mass":"21"},{"id":2}]}}"#,
      #"{"type":"FeatureCollection","features":[{"type":"Feature","geometry":{"type":"Point","coordinates":[6.1,50.8]},"properties":{"id":"1"}},{"type":"Feature","id":2,"properties":{"name":"x"},"geometry":null}]}"#,
      #"{"meta":{"view":{"columns":[{"name":"id","fieldName":":id"},{"name":"id","fieldName":"id"},{"name":"mass (g)","fieldName":"mass","cachedContents":{"non_null":2,"null":"1"}}]}},"data":[["row-a","1","21"],["row-b","2",null]]}"#,
      "f([{\"id\":1}]);", ")]}'\n[{\"id\":1}]", "<html><title>x</title>", "id,name\n1,a\n",
    ]
  ) { text in
    let bytes = Array(text.utf8)
    for format in [nil, .jsonArray, .ndjson, .geoJSON, .positionalJSON] as [RowFormat?] {
      try checkRows(bytes, format)
    }
  }

  private static func checkRows(_ bytes: [UInt8], _ format: RowFormat?) throws {
    var stones: [Stone] = []
    let read = try readable {
      try RowReader.forEachRow(of: bytes, columns: Stone.columns, key: 0, format: format) {
        row throws(RowProblem) in
        let stone = try Stone(row: row)
        try row.checkColumns()
        stones.append(stone)
      }
    }
    guard let summary = read else { return }
    holdEqual(stones.count + summary.failures.count, summary.rowCount, "The number of rows")
    hold(summary.rowCount <= bytes.count + 1, "\(summary.rowCount) rows")
    var last = -1
    for failure in summary.failures {
      hold(failure.index >= last && failure.index < summary.rowCount, "The order of failures")
      hold(failure.excerpt.count <= 200, "The length of an excerpt")
      last = failure.index
    }
    for stone in stones {
      hold(stone.mass?.isFinite != false, "A mass isn't finite")
      hold(!stone.id.isEmpty, "An ID is empty")
    }
  }

  private static let json = Target(
    "json",
    texts: [
      #"{"a":[1,-0.5e+10,true,false,null,"\ud83d\ude00\n\/é"],"b":{},"c":[],"":{"x":[[[]]]}}"#,
      #""\ud800""#, "[1e400,-0,123456789012345678901234567890]", " \u{FEFF}{}", "[[[[[[[[1]]]]]]]]",
    ]
  ) { text in
    let bytes = Array(text.utf8)
    let isValid = try readable { try JSONDocument.validate(bytes) } != nil
    guard let value = try readable({ try JSONDocument.value(bytes) }) else {
      // Only bodies that seem to be something else are refused although they are JSON.
      hold(!isValid, "Valid JSON can't be read")
      return
    }
    hold(isValid, "Invalid JSON was read")
    let written = value.canonicalText
    let again = try JSONDocument.value(Array(written.utf8))
    holdEqual(again.canonicalText, written, "The text")
    _ = (value.double, value.integer)
  }
}

private struct Stone {
  static let columns = [
    RowColumn("id"), RowColumn("name"), RowColumn("mass", "mass (g)"), RowColumn("geometry"),
  ]

  var id: String
  var name: String?
  var mass: Double?

  init(row: borrowing SourceRow) throws(RowProblem) {
    guard let id = row.trimmedText(0) else { throw RowProblem("it has no id") }
    self.id = id
    name = row.text(1)
    mass = row.double(2)
  }
}
