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

  static func parameter(_ message: String) -> Self {
    Self(code: "req.bad-parameter", message: message)
  }
}
