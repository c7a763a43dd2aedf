internal import FieldFoundation

/// A reader of checkpoints in the form in which they are written: JSON without spaces.
package struct CheckpointReader {
  /// The text isn't in this form, although it may be JSON.
  private struct OtherForm: Error {}

  private let bytes: [UInt8]
  private var place = 0

  private init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Returns the checkpoint, or `nil` if only a decoder can tell whether the bytes are one.
  package static func read(_ bytes: [UInt8]) -> Checkpoint? {
    var reader = CheckpointReader(bytes)
    do throws(OtherForm) {
      return try reader.checkpoint()
    } catch {
      return nil
    }
  }

  private mutating func checkpoint() throws(OtherForm) -> Checkpoint {
    var checkpoint = Checkpoint()
    var (hasCursors, hasValidators) = (false, false)
    try object { reader, key throws(OtherForm) in
      switch key {
      case "cursors":
        hasCursors = true
        try reader.object { reader, key throws(OtherForm) in
          checkpoint.cursors[key] = try reader.text()
        }
      case "fingerprint": checkpoint.fingerprint = try reader.text()
      case "lastSuccess":
        checkpoint.lastSuccess = Date(timeIntervalSinceReferenceDate: try reader.number())
      case "validators":
        hasValidators = true
        try reader.object { reader, key throws(OtherForm) in
          checkpoint.validators[key] = try reader.validators()
        }
      default: throw OtherForm()
      }
    }
    guard hasCursors, hasValidators, place == bytes.count else { throw OtherForm() }
    return checkpoint
  }

  private mutating func validators() throws(OtherForm) -> HTTPValidators {
    var validators = HTTPValidators()
    try object { reader, key throws(OtherForm) in
      switch key {
      case "entityTag": validators.entityTag = try reader.text()
      case "lastModified": validators.lastModified = try reader.text()
      default: throw OtherForm()
      }
    }
    return validators
  }

  /// Reads an object, whose values `value` reads.
  private mutating func object(
    _ value: (inout CheckpointReader, _ key: String) throws(OtherForm) -> Void
  ) throws(OtherForm) {
    try expect("{")
    if take("}") { return }
    var last: String?
    repeat {
      let key = try text()
      // Keys are written in ascending order, so a repeated one isn't.
      if let last, last >= key { throw OtherForm() }
      last = key
      try expect(":")
      try value(&self, key)
    } while take(",")
    try expect("}")
  }

  private mutating func text() throws(OtherForm) -> String {
    try expect("\"")
    let start = place
    var hasEscapes = false
    while place < bytes.count, bytes[place] != UInt8(ascii: "\"") {
      guard bytes[place] >= 0x20 else { throw OtherForm() }
      if bytes[place] == UInt8(ascii: "\\") {
        hasEscapes = true
        place += 1
        // Escaped units may be half a pair.
        guard place < bytes.count, "\"\\/bfnrt".utf8.contains(bytes[place]) else {
          throw OtherForm()
        }
      }
      place += 1
    }
    let range = start..<place
    try expect("\"")
    return try bytes.withByteSpan { bytes throws(OtherForm) in
      guard UTF8Check.isValid(bytes, range) else { throw OtherForm() }
      guard hasEscapes else { return bytes.text(range) }
      return String(decoding: JSONText.unescaped(bytes, range), as: UTF8.self)
    }
  }

  private mutating func number() throws(OtherForm) -> Double {
    let start = place
    while place < bytes.count, "0123456789+-.eE".utf8.contains(bytes[place]) { place += 1 }
    let text = String(decoding: bytes[start..<place], as: UTF8.self)
    // As an encoder writes it; other forms may be out of range, or not be JSON.
    guard let number = Double(text), number.isFinite, [text, text + ".0"].contains("\(number)")
    else { throw OtherForm() }
    return number
  }

  private mutating func take(_ mark: Unicode.Scalar) -> Bool {
    guard place < bytes.count, bytes[place] == UInt8(ascii: mark) else { return false }
    place += 1
    return true
  }

  private mutating func expect(_ mark: Unicode.Scalar) throws(OtherForm) {
    guard take(mark) else { throw OtherForm() }
  }
}
