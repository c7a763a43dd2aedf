internal import FieldFoundation

/// A description of a frame's steps that doesn't depend on the type of its records.
///
/// Only this type and ``FrameCoding`` know the layout of a payload.
struct FrameOutline: Sendable {
  enum Step: Sendable {
    /// The stored forms of records that are inserted or replaced.
    case upserts([Range<Int>])
    /// A JSON array of the IDs that are removed.
    case removals(Range<Int>)
    case removeAll
  }

  private(set) var checkpoint: Checkpoint?
  private(set) var steps: [Step] = []
  /// The strings to which the records refer.
  let strings: [String]

  init(_ bytes: [UInt8], _ frame: Frame) throws {
    var reader = try FrameCoding<OpaqueRecord>.reader(bytes, frame.payload)
    strings = reader.strings
    if frame.isIndexed { _ = try StoredIndex(endOf: &reader) }
    if try reader.bool() {
      let json = try reader.lengthPrefixed()
      do {
        checkpoint = try StoredJSON.checkpoint(from: bytes[json])
      } catch {
        throw FieldError(
          .damaged, "The checkpoint of an intact batch can't be decoded.", underlying: error)
      }
    }
    while reader.remainingCount > 0 {
      switch try reader.byte() {
      case FrameCoding<OpaqueRecord>.RunTag.upserts:
        var records: [Range<Int>] = []
        for _ in 0..<(try reader.count()) { records.append(try reader.lengthPrefixed()) }
        steps.append(.upserts(records))
      case FrameCoding<OpaqueRecord>.RunTag.removals:
        steps.append(.removals(try reader.lengthPrefixed()))
      case FrameCoding<OpaqueRecord>.RunTag.removeAll: steps.append(.removeAll)
      default: throw reader.damaged("A frame contains an unknown kind of step")
      }
    }
  }

  /// The number of records that are inserted or replaced.
  var recordCount: Int {
    steps.reduce(0) { sum, step in
      if case .upserts(let records) = step { sum + records.count } else { sum }
    }
  }

  /// Returns a frame that only sets a checkpoint, with room for its header.
  static func bytes(checkpoint: Checkpoint?) throws -> [UInt8] {
    try FrameCoding<OpaqueRecord>.encode([], checkpoint: checkpoint).bytes
  }
}

struct OpaqueRecord: StoredRecord {
  var id: Int
}

// MARK: - JSON

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
