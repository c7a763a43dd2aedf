/// An error in a request, in the portal's words.
struct FakeSoQLError: Error, Hashable {
  var status = 400
  var code: String
  var message: String
  /// The missing column.
  var column: String?
  /// The offset of the error in the query, in characters.
  var offset: Int?

  static func malformed(_ message: String, at offset: Int? = nil) -> Self {
    Self(code: "query.compiler.malformed", message: message, offset: offset)
  }

  static func soql(_ name: String, _ message: String, at offset: Int? = nil) -> Self {
    Self(code: "query.soql." + name, message: message, offset: offset)
  }

  static func noColumn(_ name: String, at offset: Int? = nil) -> Self {
    var error = soql("no-such-column", "No such column: \(name)", at: offset)
    error.column = name
    return error
  }

  static func mismatch(_ name: String, _ type: FakeSoQLType, at offset: Int?) -> Self {
    soql("type-mismatch", "Type mismatch for \(name), is \(type.name)", at: offset)
  }

  static func parameter(_ message: String) -> Self {
    Self(code: "req.bad-parameter", message: message)
  }

  /// The error for a part of the language that portals have and the fake doesn't.
  static func unsupported(_ part: String, at offset: Int? = nil) -> Self {
    Self(
      code: "fake.unsupported",
      message: """
        The fake portal doesn't support \(part). It supports columns, count, comparisons, AND, OR, NOT, IN, IS NULL, \
        BETWEEN, LIKE, starts_with, within_circle, and within_box.
        """, offset: offset)
  }
}
