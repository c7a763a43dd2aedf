internal import FieldFoundation

/// A reader of the rows of a body in any format.
///
/// The format is detected from the body unless it is given. A row that can't be used becomes a
/// ``RowFailure``, and reading continues. After an error, nothing of the body may be used:
///
/// | code | the body |
/// |---|---|
/// | `rows.empty` | is empty or blank |
/// | `rows.notData` | is a web page, an XML document, an error message in JSON, or a text such as `Unauthorized` |
/// | `rows.encoding` | is in an encoding that can't be read, or that isn't known |
/// | `rows.cut` | ends in the middle |
/// | `rows.malformed` | breaks the rules of its format |
/// | `rows.schema` | has no column that the record reads |
/// | `rows.unknownFormat` | is nothing that can be read, or an archive of several files |
///
/// A body may be compressed with gzip, or a zip archive with one file of rows beside notes and the like. For the errors of an
/// archive, see ``ZipArchive``.
///
/// JSON may be the argument of a function (JSONP), it may be after `)]}'` or several byte-order
/// marks, and it may be in a JSON string or in the `<string>` element of a .NET web service. `NaN` is
/// null, and an infinity is text. A row with a token that isn't JSON, such as `01` or `None`, fails
/// alone if its brackets, quotes, and commas are in their places. The rows may be the values of an object, whose keys then identify rows that
/// lack an ID.
///
/// In CSV, blanks may be around quotes, text after a closing quote, a title before the header, and
/// lines of separators between the rows; a column with a value wins over an empty one of the same
/// name.
///
/// A truncation is noticed at every byte of JSON. In NDJSON, it is noticed if the last record is
/// incomplete, and in CSV if the body ends inside quotes or in the header. In a CSV body that is truncated
/// anywhere else, the last row fails if it has no line break and, as no other one, lacks cells. Otherwise, the body looks complete, because
/// spreadsheets omit empty cells at the end of a row, and the last line break.
///
/// Big5, Big5-HKSCS, GB 18030 with GBK and GB 2312, and Windows-1252 are read as well, if the charset
/// says so, and the first two of these kinds also if the bytes do. CSV may be in UTF-16 with a byte-order
/// mark. UTF-8 stays UTF-8, whatever the charset, and a row with bytes that its encoding doesn't
/// define fails alone.
///
/// Strings that aren't valid Unicode, because of invalid UTF-8 or half of an escaped surrogate
/// pair, fail their row, even in columns that no one reads. If at least three rows, or more than
/// half of all, contain invalid UTF-8, and hardly any row (at most one for every twenty of those)
/// contains valid text beyond ASCII, the body is in another encoding and is refused.
@usableFromInline
package enum RowReader {
  /// Passes every row in turn to a closure, so that no array needs to be built.
  ///
  /// The closure may be called before an error of the whole body is found.
  ///
  /// - Parameters:
  ///   - columns: The columns, by whose position the closure gets cells.
  ///   - key: The position of the column that identifies a row in a failure.
  ///   - watched: The positions of the columns whose cells are kept if a row fails.
  ///   - format: The format of the body; `nil` detects it.
  ///   - charset: The encoding that a header names, if any.
  ///   - isOpen: Whether the other columns of the source are read, too, after those that are given.
  ///   - isSurvey: Whether the rows are read for what their cells show about others. Failures have no ID then, because finding it
  ///     may need a survey again.
  ///   - body: A closure that takes a row; an error that it throws makes the row a failure.
  @usableFromInline
  package static func forEachRow(
    of bytes: [UInt8], columns: [RowColumn], key: Int, watching watched: [Int] = [],
    format: RowFormat? = nil, charset: String? = nil, isOpen: Bool = false, isSurvey: Bool = false,
    _ body: (borrowing SourceRow) throws(RowProblem) -> Void
  ) throws(FieldError) -> RowSummary {
    var (text, encoding) = (try CompressedBody.content(of: bytes) ?? bytes, nil as TextEncoding?)
    if let wide = try UTF16Text.utf8(text) {
      text = wide
    } else if let found = text.withByteSpan({ TextEncoding.find(in: $0, charset: charset) }) {
      text = found.utf8(text, damage: 0xFF)
      encoding = found
    }
    while let inner = JSONWrapping.removed(from: text) { text = inner }
    return try scan(text, columns, key, watched, format, encoding, isOpen, isSurvey, body)
  }

  private static func scan(
    _ bytes: [UInt8], _ columns: [RowColumn], _ key: Int, _ watched: [Int], _ format: RowFormat?,
    _ encoding: TextEncoding?, _ isOpen: Bool, _ isSurvey: Bool,
    _ body: (borrowing SourceRow) throws(RowProblem) -> Void
  ) throws(FieldError) -> RowSummary {
    return try bytes.withByteSpan { span throws(FieldError) in
      let start = try ForeignBody.check(span)
      let found: RowFormat
      if let format {
        found = format
      } else {
        found = try RowSniffing.format(
          span, from: start, columns: columns, key: key, isOpen: isOpen)
      }
      var scan = RowScan(
        bytes, columns: columns, key: key, watching: watched, format: found, start: start,
        isOpen: isOpen)
      scan.encoding = encoding
      scan.namesFailures = !isSurvey
      try scan.run(span, body)
      return scan.summary
    }
  }
}

// MARK: - Values

extension RowReader {
  /// The values of a type in the rows of a body.
  package struct Values<Value: Sendable>: Sendable {
    /// The values of the rows that could be read.
    package var values: [Value] = []
    /// The rows that couldn't be read.
    package var failures: [RowFailure] = []
    /// The cells that couldn't be read, so that values lack them.
    package var unreadable = UnreadableCells()

    package init() {}

    /// Returns the same rows with other values.
    package func map<Other>(_ transform: (Value) -> Other) -> Values<Other> {
      var values = Values<Other>()
      values.values = self.values.map(transform)
      (values.failures, values.unreadable) = (failures, unreadable)
      return values
    }
  }

  /// Returns the values of a type in the rows of a body, which needn't be records.
  package static func values<Value: RowReadable>(
    of bytes: [UInt8], as type: Value.Type, format: RowFormat? = nil
  ) throws(FieldError) -> Values<Value> {
    var form = RowForm.of(type)
    if let values = try values(of: bytes, as: type, format, form) { return values }
    RowForm.open(type)
    form.isOpen = true
    guard let values = try values(of: bytes, as: type, format, form) else {
      throw FieldError(.schema, "The columns that a value reads change with every reading.")
    }
    return values
  }

  /// Returns the values, or `nil` if one asks for columns that aren't read.
  private static func values<Value: RowReadable>(
    of bytes: [UInt8], as type: Value.Type, _ format: RowFormat?, _ form: RowForm
  ) throws(FieldError) -> Values<Value>? {
    var read = Values<Value>()
    var lacksColumns = false
    let summary = try forEachRow(
      of: bytes, columns: form.columns, key: 0, format: format, isOpen: form.isOpen
    ) { row throws(RowProblem) in
      row.forgetUnreadable()
      defer { lacksColumns = lacksColumns || row.lacksColumns }
      let value = try Value(row: row)
      try row.checkColumns()
      let cells = row.takeUnreadable()
      if !cells.isEmpty { read.unreadable.add(cells, of: row) }
      read.values.append(value)
    }
    if lacksColumns { return nil }
    read.failures = summary.failures(expecting: form.expected)
    return read
  }
}

/// The location of a cell in the body, and its kind.
struct RowCell {
  enum Kind: UInt8 { case missing, null, bool, number, text, nested }

  enum Encoding: UInt8 {
    /// The bytes are the text.
    case plain
    /// The text contains JSON escapes.
    case escapes
    /// Every quote in the text is doubled, as in CSV, up to one that ends the quoted part.
    case doubledQuotes
  }

  var kind: Kind = .missing
  var encoding: Encoding = .plain
  /// The quality of the match between key and column; lower is better (see ``RowSchema``).
  var rank: UInt16 = .max
  var start: Int = 0
  var end: Int = 0

  @inline(__always)
  var range: Range<Int> { start..<end }
}

/// A column of a source, with all names that it has had over the years.
public struct RowColumn: Sendable, Hashable {
  /// The names, the usual one first.
  ///
  /// They match regardless of case, full width, byte-order marks, and white space.
  public var names: [String]

  /// Creates a column from its name and its older names.
  public init(_ names: String...) { self.names = names }

  init(names: [String]) { self.names = names }
}

/// The reason why a row can't be used, which becomes the reason of a ``RowFailure``.
public struct RowProblem: Error, Sendable, Hashable {
  /// A description of the problem.
  public var reason: String

  /// Creates a problem.
  public init(_ reason: String) { self.reason = reason }
}

/// The key of a row as an ID of any type.
enum RowKey {
  static func id<ID: Codable>(of key: String, as type: ID.Type) -> ID? {
    if let type = type as? any LosslessStringConvertible.Type { return type.init(key) as? ID }
    if let type = type as? any RawRepresentable<String>.Type {
      return type.init(rawValue: key) as? ID
    }
    // Such as a UUID, or a type that wraps a number. A key that can't be decoded is no ID.
    let decoder = JSONDecoder()
    if let text = try? JSONEncoder().encode(key), let id = try? decoder.decode(type, from: text) {
      return id
    }
    return try? decoder.decode(type, from: Data(key.utf8))
  }
}
