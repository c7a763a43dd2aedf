internal import FieldCore

/// The JSON in a body, which the feeds wrap in several ways.
struct FeedBody {
  /// The JSON, as UTF-8.
  private(set) var json: [UInt8]
  /// The format of the rows; `nil` if it must be detected.
  private(set) var format: RowFormat?

  /// Unwraps a body in UTF-8.
  init(_ bytes: [UInt8]) throws(FieldError) {
    json = bytes
    let first = Self.firstInk(json)
    switch first < json.count ? json[first] : 0 {
    case UInt8(ascii: "["): try dropEnvelopeBehindArray(from: first)
    case UInt8(ascii: "<"):
      if let inner = try SOAPAnswer.json(in: json) {
        json = inner
        format = .jsonArray
        try dropEnvelopeBehindArray(from: Self.firstInk(json))
      }
    case UInt8(ascii: "{"):
      // These contain other columns beside the rows, and would pass for a row themselves.
      format = ["StationLiveBoards", "LiveBoards"].first { name in
        SOAPAnswer.find("\"\(name)\"", in: json, from: first, before: first + 4096) != nil
      }.map { .envelope(path: [$0]) }
    default: break
    }
  }

  /// Returns a Big5 body as UTF-8, or `nil` if it already is UTF-8.
  ///
  /// Invalid Big5 becomes a byte that is invalid UTF-8, too, so it costs only the row that contains
  /// it.
  static func unicode(fromBig5 bytes: [UInt8]) -> [UInt8]? {
    // ASCII is valid in both encodings, and most bytes are ASCII.
    guard bytes.contains(where: { $0 >= 0x80 }), String(validating: bytes, as: UTF8.self) == nil
    else { return nil }
    return Big5.utf8(bytes, damage: 0xFF)
  }

  /// Returns the offset of the first byte that is neither part of a byte-order mark nor whitespace.
  static func firstInk(_ bytes: [UInt8]) -> Int {
    var at = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    while at < bytes.count, bytes[at] <= 0x20 { at += 1 }
    return at
  }

  /// Drops the empty SOAP envelope that the members' feed puts after the array.
  private mutating func dropEnvelopeBehindArray(from start: Int) throws(FieldError) {
    guard let last = json.last(where: { $0 > 0x20 }), last != UInt8(ascii: "]"),
      let end = Self.endOfArray(json, from: start)
    else { return }
    let rest = json[end...].drop { $0 <= 0x20 }
    guard rest.first == UInt8(ascii: "<") else { return }
    if let fault = SOAPAnswer.fault(in: Array(rest)) { throw fault }
    json.removeSubrange(end...)
  }

  /// Returns the offset after the array that begins at an offset, or `nil` if the array doesn't
  /// end.
  private static func endOfArray(_ bytes: [UInt8], from start: Int) -> Int? {
    var depth = 0
    var isInText = false
    var at = start
    while at < bytes.count {
      switch bytes[at] {
      case UInt8(ascii: "\\") where isInText: at += 1
      case UInt8(ascii: "\""): isInText.toggle()
      case UInt8(ascii: "["), UInt8(ascii: "{"): if !isInText { depth += 1 }
      case UInt8(ascii: "]"), UInt8(ascii: "}"):
        if isInText { break }
        depth -= 1
        if depth == 0 { return at + 1 }
      default: break
      }
      at += 1
    }
    return nil
  }
}
