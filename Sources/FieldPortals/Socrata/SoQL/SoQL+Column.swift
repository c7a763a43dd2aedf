internal import FieldCore

extension SoQL {
  /// The name of a column, or of an alias that a query gives.
  ///
  /// A name is what Socrata calls a field name, such as `recclass`, a system field, such as `:id`, or a
  /// computed one, such as `:@computed_region_cbhk_fwbd`. A name with a hyphen, and one that is a word
  /// of the language (`order`, `group`, `left`), is printed in backticks.
  ///
  /// ```swift
  /// let mass: SoQL.Column = "mass"                  // a name that stands in the source code
  /// let column = try SoQL.Column(nameFromAFile)     // a name that comes at run time
  /// ```
  public struct Column: Hashable, Sendable {
    /// The name, without backticks.
    public let name: String

    /// Makes a column of a name that is known at run time only.
    ///
    /// - Throws: `FieldError` with the code ``/FieldCore/FieldError/Code/invalidInput`` when the name is
    ///   none: it has to be of ASCII letters, digits, `_` and `-`, must not begin with a digit, and may
    ///   have `:` or `:@` before it.
    public init(_ name: String) throws {
      guard SoQLName.isName(name) else {
        throw FieldError(
          .invalidInput,
          "\"\(name.prefix(60))\" cannot be the name of a column: letters, digits, \"_\" and \"-\" make one, after \":\" or \":@\" for a system field"
        )
      }
      self.name = name
    }

    /// The row identifier, which is opaque: its order is the server's, not that of its text.
    public static var id: Self { ":id" }
    /// When the row was changed last, a fixed timestamp.
    public static var updatedAt: Self { ":updated_at" }
    /// When the row was made, a fixed timestamp.
    public static var createdAt: Self { ":created_at" }
    /// The version of the row, which changes whenever the row is written.
    public static var version: Self { ":version" }
  }
}

extension SoQL.Column: ExpressibleByStringLiteral {
  /// Makes a column of a name in the source code.
  ///
  /// A literal cannot throw, and a mistake in one should not end the process. What cannot stand in a
  /// name becomes `-`: no field name of Socrata has one, so the server answers that there is no such
  /// column, and nothing of the literal can become a part of the query.
  public init(stringLiteral name: String) { self.name = SoQLName.tamed(name) }
}

extension SoQL.Column: CustomStringConvertible {
  /// The name as it is printed in a query.
  public var description: String { SoQLName.printed(name) }
}
