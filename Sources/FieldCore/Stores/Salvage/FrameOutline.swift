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
