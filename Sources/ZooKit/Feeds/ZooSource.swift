public import FieldCore

/// A type that supplies a zoo with data.
///
/// ### When to implement it
///
/// ``TaipeiZoo`` queries the portal, and ``ZooFile`` reads files. Implement the protocol for
/// another portal, or for rows that your app already has.
///
/// ### How to implement it
///
/// - Return a complete table in source order, or throw an error.
/// - Report rows that can't be read as failures; neither drop them nor throw an error for them.
/// - Throw `FieldError` if the response isn't a set of rows. The zoo then keeps its old data.
///
/// ### How to test it
///
/// ```swift
/// struct TwoAnimals: ZooSource {
///   var dataSource: DataSource { .taipeiZoo }
///   var tables: [ZooTable] { [.animals] }
///   func read(_ table: ZooTable) async throws -> Batch<ZooRecord> {
///     Batch(animals: [Animal(name: "石虎"), Animal(name: "穿山甲")])
///   }
/// }
/// ```
public protocol ZooSource: Sendable {
  /// The data source, with its attribution.
  var dataSource: DataSource { get }

  /// The tables of the source, in the order in which they are best fetched.
  var tables: [ZooTable] { get }

  /// Reads a table.
  ///
  /// - Throws: `FieldError` if the complete table isn't available; `CancellationError`.
  func read(_ table: ZooTable) async throws -> Batch<ZooRecord>
}
