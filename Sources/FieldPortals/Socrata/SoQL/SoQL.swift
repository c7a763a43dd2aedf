/// The query language of Socrata's SODA API, as typed values.
///
/// Columns and values make expressions, expressions make conditions, and both make a ``Query``, which
/// prints to the `$` parameters of SODA 2 or to the one statement of SODA 3:
///
/// ```swift
/// let mass = SoQL.column("mass")
/// let query = SoQL.Query(
///   select: ["id", "name", "mass"],
///   where: mass >= 1000 && SoQL.column("fall") == "Fell",
///   order: [mass.descending], limit: 10)
/// query.parameters()  // [("$select", "id, name, mass"), ("$where", "mass >= 1000 AND fall = 'Fell'"), …]
/// query.statement     // SELECT id, name, mass WHERE mass >= 1000 AND fall = 'Fell' ORDER BY mass DESC LIMIT 10
/// ```
///
/// Expressions and conditions are different types, so that a sum of two conditions or a condition that
/// is a number does not compile. Nothing that is put into them can leave its place in the printed text:
/// texts become one literal whatever stands in them, and names become one name.
///
/// Source: the lexer and the parser of `socrata-platform/soql-reference`, 4.14.102.
public enum SoQL {
  /// The expression that is a column.
  public static func column(_ column: Column) -> Expression { Expression(.column(column)) }

  /// The expression that is a literal.
  public static func value(_ value: Value) -> Expression { Expression(.value(value)) }
}
