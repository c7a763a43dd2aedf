internal import FieldFoundation

extension FrameOutline {
  /// Returns the steps of a frame as JSON: see ``StoreFile/jsonLines()``.
  static func jsonLines(of frame: Frame, in bytes: [UInt8]) throws -> [String] {
    let outline = try FrameOutline(bytes, frame)
    var values: [(name: String, json: String)] = []
    for step in outline.steps {
      switch step {
      case .removeAll: values.append(("removeAll", "true"))
      case .removals(let ids):
        values.append(("remove", String(decoding: bytes[ids], as: UTF8.self)))
      case .upserts(let records):
        for record in records {
          if let json = json(RecordReader(bytes, record, strings: outline.strings)) {
            values.append(("put", json))
          } else {
            values.append(("putBase64", "\"\(Data(bytes[record]).base64EncodedString())\""))
          }
        }
      }
    }
    if let checkpoint = outline.checkpoint {
      let json = try StoredJSON.encode(checkpoint)
      values.append(("checkpoint", String(decoding: json, as: UTF8.self)))
    }
    return values.map { #"{"revision":\#(frame.revision.number),"\#($0.name)":\#($0.json)}"# }
  }

  /// Returns the JSON of a record, or `nil` if its type has its own coding.
  private static func json(_ record: RecordReader) -> String? {
    var record = record
    let bytes = record.bytes[record.position..<record.end]
    guard bytes.first == RecordShape.marker else {
      let isJSON = (try? StoredJSON.decode(AnyJSON.self, from: bytes)) != nil
      return isJSON ? String(decoding: bytes, as: UTF8.self) : nil
    }
    guard let value = try? record.decode(ShapedJSON.self), record.remainingCount == 0,
      let json = try? StoredJSON.encode(value)
    else { return nil }
    return String(decoding: json, as: UTF8.self)
  }
}

/// Any JSON value, decoded only to check that it is JSON.
private struct AnyJSON: Decodable {
  init(from decoder: any Decoder) throws {}
}
