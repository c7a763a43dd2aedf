internal import FieldFoundation

/// A writer of checkpoints that produces the bytes of `StoredJSON`'s encoder.
///
/// Each commit contains a checkpoint, and the encoder takes many times as long as everything else in the commit of one row.
struct CheckpointWriter {
  /// Only the encoder knows how to write a value.
  private struct OtherForm: Error {}

  private var bytes: [UInt8] = []

  /// Returns the JSON of a checkpoint, or `nil` if only the encoder can write it.
  static func write(_ checkpoint: Checkpoint) -> [UInt8]? {
    var writer = CheckpointWriter()
    do throws(OtherForm) {
      try writer.write(checkpoint)
      return writer.bytes
    } catch {
      return nil
    }
  }

  private mutating func write(_ checkpoint: Checkpoint) throws(OtherForm) {
    bytes += #"{"cursors":"#.utf8
    try write(checkpoint.cursors) { writer, cursor throws(OtherForm) in try writer.write(cursor) }
    if let fingerprint = checkpoint.fingerprint {
      bytes += #","fingerprint":"#.utf8
      try write(fingerprint)
    }
    if let date = checkpoint.lastSuccess {
      let seconds = date.timeIntervalSinceReferenceDate
      guard seconds.isFinite else { throw OtherForm() }
      let text = "\(seconds)"
      bytes += #","lastSuccess":"#.utf8
      bytes += (text.hasSuffix(".0") ? text.dropLast(2) : text[...]).utf8
    }
    bytes += #","validators":"#.utf8
    try write(checkpoint.validators) { writer, validators throws(OtherForm) in
      try writer.write(validators)
    }
    bytes.append(UInt8(ascii: "}"))
  }

  private mutating func write(_ validators: HTTPValidators) throws(OtherForm) {
    bytes.append(UInt8(ascii: "{"))
    if let tag = validators.entityTag {
      bytes += #""entityTag":"#.utf8
      try write(tag)
    }
    if let date = validators.lastModified {
      bytes += (validators.entityTag == nil ? #""lastModified":"# : #","lastModified":"#).utf8
      try write(date)
    }
    bytes.append(UInt8(ascii: "}"))
  }

  private mutating func write<Value>(
    _ members: [String: Value],
    _ value: (inout CheckpointWriter, Value) throws(OtherForm) -> Void
  ) throws(OtherForm) {
    bytes.append(UInt8(ascii: "{"))
    var isFirst = true
    for member in members.sorted(by: {
      $0.key.utf8.lexicographicallyPrecedes($1.key.utf8)
    }) {
      if !isFirst { bytes.append(UInt8(ascii: ",")) }
      isFirst = false
      try write(member.key)
      bytes.append(UInt8(ascii: ":"))
      try value(&self, member.value)
    }
    bytes.append(UInt8(ascii: "}"))
  }

  private mutating func write(_ text: String) throws(OtherForm) {
    // There are several ways to escape control characters.
    guard text.utf8.allSatisfy({ $0 >= 0x20 }) else { throw OtherForm() }
    JSONText.append(text, to: &bytes)
  }
}
