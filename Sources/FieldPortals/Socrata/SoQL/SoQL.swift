/// The query language of Socrata's SODA API, as typed values.
///
/// Columns and values form expressions, expressions form conditions, and both form a ``Query``,
/// which prints as the `$` parameters of SODA 2 or as the single statement of SODA 3:
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
/// Expressions and conditions are different types, so a sum of two conditions or a number as a
/// condition doesn't compile. Nothing that you pass can escape its place in the printed text: a
/// text always becomes one literal, whatever it contains, and a name becomes one name.
///
/// Source: the lexer and the parser of `socrata-platform/soql-reference`, 4.14.102.
public enum SoQL {
  /// Returns the expression for a column.
  public static func column(_ column: Column) -> Expression { Expression(.column(column)) }

  /// Returns the expression for a literal.
  public static func value(_ value: Value) -> Expression { Expression(.value(value)) }
}
