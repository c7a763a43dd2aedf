internal import FieldCore

/// A writer of the two documents about a view.
enum FakeSODAView {
  /// Returns `/api/views/{id}.json`, with times in whole seconds since 1970.
  static func metadata(_ server: FakeSODAServer, _ table: FakeSODATable) -> String {
    "{\(members(server, table, hasMeta: false))}\n"
  }

  /// Returns `/api/views/{id}/rows.json`, with rows by position, after eight columns of the
  /// portal's own.
  static func rows(_ server: FakeSODAServer, _ setting: FakeSODASetting) -> String {
    var bytes = Array(
      "{\"meta\":{\"view\":{\(members(server, setting.table, hasMeta: true))}},\"data\":[".utf8)
    var isFirst = true
    setting.table.scan(.number) { record in
      bytes.append(contentsOf: (isFirst ? "" : "\n,").utf8)
      isFirst = false
      let sid = FakeJSON.quoted(setting.options.ids.text(record.number))
      let uuid = "00000000-0000-0000-" + hexadecimal(record.number)
      let (created, updated) = (record.createdAt / 1_000_000, record.updatedAt / 1_000_000)
      bytes.append(contentsOf: "[\(sid),\"\(uuid)\",0,\(created),null,\(updated),null,\"{ }\"".utf8)
      for cell in record.cells {
        bytes.append(UInt8(ascii: ","))
        append(cell, to: &bytes)
      }
      bytes.append(UInt8(ascii: "]"))
      return true
    }
    bytes.append(contentsOf: "]}\n".utf8)
    return String(decoding: bytes, as: UTF8.self)
  }

  private static let metaColumns = [
    ("sid", ":sid"), ("id", ":id"), ("position", ":position"), ("created_at", ":created_at"),
    ("created_meta", ":created_meta"), ("updated_at", ":updated_at"),
    ("updated_meta", ":updated_meta"), ("meta", ":meta"),
  ]

  private static func members(
    _ server: FakeSODAServer, _ table: FakeSODATable, hasMeta: Bool
  ) -> String {
    var columns =
      hasMeta
      ? metaColumns.map { name, field in
        "{\"id\":-1,\"name\":\"\(name)\",\"dataTypeName\":\"meta_data\",\"fieldName\":\"\(field)\",\"position\":0}"
      } : []
    for (index, column) in table.columns.enumerated() {
      let type = FakeJSON.quoted(column.type.metadataName)
      columns.append(
        "{\"id\":\(index + 1),\"name\":\(FakeJSON.quoted(column.title)),\"dataTypeName\":\(type),"
          + "\"fieldName\":\(FakeJSON.quoted(column.name)),\"position\":\(index + 1)}")
    }
    let modified = table.modifiedAt / 1_000_000
    return
      "\"id\":\(FakeJSON.quoted(server.dataset)),\"name\":\"Fake\",\"rowsUpdatedAt\":\(modified),"
      + "\"viewLastModified\":\(modified),\"rowIdentifier\":\"0\",\"columns\":[\(columns.joined(separator: ","))]"
  }

  /// Appends a cell by position: dates have no milliseconds, and a location is an array of five.
  private static func append(_ cell: FakeSODAServer.Cell, to bytes: inout [UInt8]) {
    switch cell {
    case .timestamp(let text) where text.hasSuffix(".000"):
      FakeJSON.append(String(text.dropLast(4)), to: &bytes)
    case .point(let longitude, let latitude):
      bytes.append(contentsOf: "[null,\"\(latitude)\",\"\(longitude)\",null,false]".utf8)
    case .location(let latitude, let longitude, let address):
      let texts = [address, latitude, longitude].map { $0.map(FakeJSON.quoted) ?? "null" }
      bytes.append(contentsOf: "[\(texts.joined(separator: ",")),null,false]".utf8)
    default: FakeSODAWriter.append(cell, to: &bytes)
    }
  }

  private static func hexadecimal(_ number: Int64) -> String {
    let digits = UInt64(bitPattern: number).digits(16, radix: 16).uppercased()
    return digits.prefix(4) + "-" + digits.dropFirst(4)
  }
}
