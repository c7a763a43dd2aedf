/// A detector of formats that looks at the beginning of a body.
enum RowSniffing {
  /// The byte before each text of a sequence of JSON texts (RFC 7464).
  static let recordSeparator: UInt8 = 0x1E

  /// Returns the format of a body whose text begins at `start`.
  ///
  /// - Parameter isOpen: Whether all columns are read, so that a header needn't name a known one.
  static func format(
    _ bytes: Span<UInt8>, from start: Int, columns: [RowColumn], key: Int, isOpen: Bool = false
  ) throws(FieldError) -> RowFormat {
    let schema = RowSchema(columns)
    let first = ForeignBody.firstInk(bytes, from: start)
    switch first < bytes.count ? bytes[first] : 0 {
    case UInt8(ascii: "["):
      return .jsonArray
    case UInt8(ascii: "{"):
      return try objectFormat(bytes, at: first, schema, key: key)
    case recordSeparator:
      return .ndjson
    default:
      if CSVHeader.find(bytes, from: start, schema) != nil { return .csv }
      if !UTF8Check.isValid(bytes, start..<bytes.count) { throw ForeignBody.otherEncoding }
      if let error = JSONWrapping.stringError(bytes, at: first) ?? ForeignBody.refusal(bytes) {
        throw error
      }
      if isOpen, CSVHeader.findUnknown(bytes, from: start) != nil { return .csv }
      throw FieldError(
        .unknownFormat,
        "The body is neither JSON nor CSV with a column of \(schema.names). It begins with "
          + ForeignBody.quoted(bytes, from: first))
    }
  }

  /// Returns the format of a body that begins with an object.
  private static func objectFormat(
    _ bytes: Span<UInt8>, at start: Int, _ schema: RowSchema, key: Int
  ) throws(FieldError) -> RowFormat {
    let outline: JSONOutline
    do throws(JSONFault) {
      outline = try JSONOutline(bytes, at: start)
    } catch {
      // A truncated body is well-formed up to its end, and must not be mistaken for lines.
      if error.isCut { throw error.fieldError }
      // A broken line fails alone, so even the first one may be broken.
      if linesFollow(bytes, after: start) { return .ndjson }
      if !UTF8Check.isValid(bytes, start..<bytes.count) {
        throw ForeignBody.otherEncoding
      }
      throw error.fieldError
    }
    if let format = outline.format { return format }
    let next = ForeignBody.firstInk(bytes, from: outline.end)
    if next < bytes.count {
      if bytes[next] == UInt8(ascii: "{") || linesFollow(bytes, after: start) { return .ndjson }
      throw JSONFault(offset: next, reason: .trailing).fieldError
    }
    return try soleObjectFormat(bytes, at: start, outline, schema, key: key)
  }

  /// Returns the format of a body that is one object.
  private static func soleObjectFormat(
    _ bytes: Span<UInt8>, at start: Int, _ outline: JSONOutline, _ schema: RowSchema, key: Int
  ) throws(FieldError) -> RowFormat {
    func columnCount(_ array: JSONOutline.Array) -> Int {
      guard array.hasRows, let first = try? JSONOutline(bytes, at: array.start) else { return 0 }
      return Set(first.keys.compactMap { schema.match($0)?.column }).count
    }
    func hasColumn(_ array: JSONOutline.Array) -> Bool { columnCount(array) > 0 }
    let named = outline.namedRows
    if let array = named.first(where: hasColumn) { return .envelope(path: array.path) }
    if outline.isFeature { return .ndjson }
    let columns = outline.keys.compactMap { schema.match($0)?.column }
    // Values that are rows have more columns than the object around them.
    let counts = outline.objects.filter { $0.path.first != "error" }
      .map { (columnCount($0), $0) }
    if let most = counts.max(by: { $0.0 < $1.0 }), most.0 > Set(columns).count {
      return .envelope(path: most.1.path)
    }
    if let array = named.first { return .envelope(path: array.path) }
    if !columns.contains(key), let value = JSONValue.read(bytes, from: start),
      let error = ForeignBody.errorDocument(value)
    {
      throw error
    }
    if !columns.isEmpty { return .ndjson }
    let arrays = outline.arrays.filter(\.hasRows)
    let known = arrays.filter(hasColumn)
    if let array = (known.isEmpty ? arrays : known).max(by: { $0.length < $1.length }) {
      return .envelope(path: array.path)
    }
    throw FieldError(
      .unknownFormat,
      "The body is a JSON object without rows or a column of \(schema.names). It begins with "
        + ForeignBody.quoted(bytes, from: start))
  }

  /// Returns whether the next line that isn't blank is an object, and the one after it begins like
  /// one, as in NDJSON, unlike the rows inside an envelope, which are separated by commas.
  private static func linesFollow(_ bytes: Span<UInt8>, after start: Int) -> Bool {
    var scanner = JSONScanner(at: start)
    scanner.staysOnLine = true
    while scanner.at < bytes.count, !isLineBreak(bytes[scanner.at]) { scanner.at += 1 }
    scanner.at = ForeignBody.firstInk(bytes, from: scanner.at)
    guard scanner.peek(bytes) == UInt8(ascii: "{") else { return false }
    do throws(JSONFault) {
      try scanner.skipContainer(bytes)
    } catch {
      return false
    }
    scanner.skipSpace(bytes)
    guard scanner.at < bytes.count else { return true }
    guard isLineBreak(bytes[scanner.at]) else { return false }
    let next = ForeignBody.firstInk(bytes, from: scanner.at)
    return next == bytes.count || bytes[next] == UInt8(ascii: "{")
  }

  private static func isLineBreak(_ byte: UInt8) -> Bool { byte == 0x0A || byte == 0x0D }
}
