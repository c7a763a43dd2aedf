internal import FieldCore

extension SoQL {
  /// The name of a column, or of an alias in a query.
  ///
  /// A name is one of Socrata's field names, such as `recclass`, a system field, such as `:id`, or
  /// a computed field, such as `:@computed_region_cbhk_fwbd`. Names with a hyphen, and names that
  /// are words of the language (`order`, `group`, `left`), are printed in backticks.
  ///
  /// ```swift
  /// let mass: SoQL.Column = "mass"                  // a name that stands in the source code
  /// let column = try SoQL.Column(nameFromAFile)     // a name that comes at run time
  /// ```
  public struct Column: Hashable, Sendable, CustomStringConvertible {
    /// The name, without backticks.
    public let name: String

    /// Creates a column from a name that is known only at run time.
    ///
    /// - Throws: `FieldError` with the code ``/FieldCore/FieldError/Code/invalidInput`` if the name
    ///   is invalid: it must consist of ASCII letters, digits, `_`, and `-`, not begin with a
    ///   digit, and may have `:` or `:@` before it.
    public init(_ name: String) throws {
      guard SoQLName.isName(name) else {
        throw FieldError(
          .invalidInput,
          "\"\(name.prefix(60))\" isn't a column name. Use ASCII letters, digits, \"_\", and \"-\"."
        )
      }
      self.name = name
    }

    /// The row identifier, which is opaque: its order is the server's, not that of its text.
    public static var id: Self { ":id" }
    /// The time when the row was last changed, as a fixed timestamp.
    public static var updatedAt: Self { ":updated_at" }
    /// The time when the row was created, as a fixed timestamp.
    public static var createdAt: Self { ":created_at" }
    /// The version of the row, which changes whenever the row is written.
    public static var version: Self { ":version" }

    /// The name as printed in a query.
    public var description: String { SoQLName.printed(name) }
  }
}

extension SoQL.Column: ExpressibleByStringLiteral {
  /// Creates a column from a name in the source code.
  ///
  /// A literal can't throw, and a mistake in one shouldn't end the process. Characters that are
  /// invalid in a name become `-`, which no field name of Socrata contains. The server then answers
  /// that there is no such column, and no part of the literal can become part of the query.
  public init(stringLiteral name: String) { self.name = SoQLName.tamed(name) }
}
