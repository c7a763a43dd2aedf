public import FieldCore

/// Where a zoo gets its data from.
///
/// ### When to implement it
///
/// ``TaipeiZoo`` asks the portal and ``ZooFile`` reads files. Implement the protocol for another portal,
/// or for rows that an app has already.
///
/// ### How to implement it
///
/// - Give a table whole, in the source's order, or throw.
/// - Report rows that cannot be read as failures; do not leave them out and do not throw for them.
/// - Throw `FieldError` for everything that is no set of rows. The zoo then keeps what it has.
///
/// ### How to test it
///
/// ```swift
/// struct TwoAnimals: ZooSource {
///   var dataSource: DataSource { .taipeiZoo }
///   var tables: [ZooTable] { [.animals] }
///   func read(_ table: ZooTable) async throws -> ZooBatch {
///     ZooBatch(animals: [Animal(name: "石虎"), Animal(name: "穿山甲")])
///   }
/// }
/// ```
public protocol ZooSource: Sendable {
  /// What the data is and whom to name beside it.
  var dataSource: DataSource { get }

  /// The tables that the source has, in the order in which they are best asked for.
  var tables: [ZooTable] { get }

  /// Reads a table.
  ///
  /// - Throws: `FieldError` when the table cannot be had whole; `CancellationError`.
  func read(_ table: ZooTable) async throws -> ZooBatch
}
