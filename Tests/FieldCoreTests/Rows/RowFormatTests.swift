import FieldCore
import TestSupport
import Testing

@Suite("Rows of every format")
struct RowFormatTests {
  @Test(
    "rows of every format are the same records, and the format is detected",
    arguments: SmallBody.all)
  func sameRecords(_ format: RowFormat, _ text: String) throws {
    for given in [nil, format] {
      let batch = try stones(text, given)
      #expect(batch.records == SmallBody.rows)
      #expect(batch.format == format)
      #expect(batch.rowCount == 3)
      #expect(batch.failures.isEmpty)
    }
  }

  @Test("rows are read after a byte-order mark and white space", arguments: SmallBody.all)
  func mark(_ format: RowFormat, _ text: String) throws {
    #expect(try stones("\u{FEFF}" + text).records == SmallBody.rows)
    if format != .csv { #expect(try stones(" \r\n\t" + text + " \n").records == SmallBody.rows) }
  }

  @Test("rows are never read from a JSON body truncated at any byte", arguments: SmallBody.all)
  func cut(_ format: RowFormat, _ text: String) throws {
    guard format != .ndjson, format != .csv else { return }
    let bytes = Array(text.utf8)
    for length in 0..<bytes.count {
      for given in [nil, format] {
        let code = code {
          _ = try RowReader.read(Array(bytes[..<length]), as: RowStone.self, format: given)
        }
        #expect(code == (length == 0 ? .emptyBody : .cut), "cut at \(length)")
      }
    }
  }

  @Test("rows of truncated NDJSON are whole lines, or the body is truncated")
  func cutLines() throws {
    let bytes = Array(SmallBody.lines.utf8)
    for length in 1..<bytes.count {
      let prefix = Array(bytes[..<length])
      let lines = prefix.split(separator: 0x0A)
      let isWhole = lines.allSatisfy { $0.last == UInt8(ascii: "}") } && whole(lines.last)
      if isWhole {
        let records = try RowReader.read(prefix, as: RowStone.self, format: .ndjson).records
        #expect(records == Array(SmallBody.rows[..<lines.count]), "cut at \(length)")
      } else {
        #expect(
          code { _ = try RowReader.read(prefix, as: RowStone.self, format: .ndjson) } == .cut,
          "cut at \(length)")
      }
    }
  }

  private func whole(_ line: ArraySlice<UInt8>?) -> Bool {
    guard let line else { return false }
    return SmallBody.lines.utf8.split(separator: 0x0A).contains { Array($0) == Array(line) }
  }

  @Test("rows of truncated CSV are a prefix of all rows, or the body is truncated")
  func cutRecords() throws {
    let bytes = Array(SmallBody.csv.utf8)
    let header = 26
    for length in 1..<bytes.count {
      let prefix = Array(bytes[..<length])
      do {
        let batch = try RowReader.read(prefix, as: RowStone.self, format: .csv)
        #expect(length >= header - 1)
        // Only the last cell of the last record may be shorter than it was.
        for (record, expected) in zip(batch.records.dropLast(), SmallBody.rows) {
          #expect(record == expected)
        }
        if let last = batch.records.last {
          #expect(last.name == SmallBody.rows[batch.records.count - 1].name, "cut at \(length)")
        }
      } catch {
        #expect(error.code == .cut || length < header && error.code == .schema, "cut at \(length)")
      }
    }
  }

  @Test("rows report what the source announces, and which columns are unknown or missing")
  func summary() throws {
    let positional = try stones(SmallBody.positional)
    #expect(positional.announcedRows == 3)
    #expect(positional.unknownColumns == [":id"])
    #expect(positional.missingColumns == ["geometry"])
    let envelope = try stones(SmallBody.envelope)
    #expect(envelope.announcedRows == 272)
    let csv = try stones(SmallBody.csv)
    #expect(csv.unknownColumns == ["extra"])
    #expect(csv.missingColumns == ["geometry"])
    #expect(try stones(SmallBody.geoJSON).missingColumns.isEmpty)
  }

  @Test("rows report at most 200 unknown columns", arguments: [200, 201])
  func manyUnknown(count: Int) throws {
    let members = (0..<count).map { "\"x\($0)\":0" }.joined(separator: ",")
    let unknown = try stones("[{\"id\":1,\(members)}]").unknownColumns
    #expect(unknown == (0..<200).map { "x\($0)" })
  }

  @Test("rows fail individually if they have more cells than the positional format has columns")
  func surplusCells() throws {
    let text = SmallBody.positional.replacing("\"1\",\"21\"]", with: "\"1\",\"21\",{\"x\":[7]}]")
    let batch = try stones(text)
    #expect(batch.records == Array(SmallBody.rows.dropFirst()))
    #expect(batch.failures.map(\.reason) == ["it has 5 cells, but there are 4 columns"])
  }

  @Test(
    "rows have no value where the text stands for none",
    arguments: [
      ("", true), (" ", true), ("\u{A0}", true), ("\u{3000}", true), ("\u{A0}\u{3000}", true),
      ("n", false), ("N", false), ("-", true), ("--", false), ("NA", true), ("N/A", true),
      ("n/a", true), ("#N/A", true), ("null", true), ("NULL", true), ("NUL", false), ("n/", false),
      ("\u{E9}", false), ("\u{A1}", false),
    ])
  func void(text: String, isVoid: Bool) {
    #expect(RowText.isVoid(text) == isVoid)
  }

  @Test(
    "rows may be empty",
    arguments: ["[]\n", "[]", " [ ] ", "\u{FEFF}[]", "{\"result\":0,\"data\":[]}"])
  func none(_ text: String) throws {
    let batch = try stones(text)
    #expect(batch.records.isEmpty)
    #expect(batch.rowCount == 0)
    #expect(batch.missingColumns.isEmpty)
  }

  @Test("rows that a record rejects are reported with key and excerpt, and the others stay")
  func refused() throws {
    let batch = try stones(#"[{"id":"1"},{"name":"no id"},{"id":"3"}]"#)
    #expect(batch.records.map(\.id) == ["1", "3"])
    #expect(
      batch.failures
        == [RowFailure(index: 1, excerpt: #"{"name":"no id"}"#, reason: "it has no id")])
  }

  @Test("failed rows have excerpts of at most 200 characters")
  func excerpt() throws {
    let long = String(repeating: "石é", count: 500)
    let batch = try stones("[{\"name\":\"\(long)\"}]")
    #expect(batch.failures.first?.excerpt == "{\"name\":\"" + String(long.prefix(191)))
  }
}
