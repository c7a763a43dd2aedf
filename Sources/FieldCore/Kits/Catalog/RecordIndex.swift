/// A declaration of a field that a catalog's queries search, order by, or look up.
///
/// ```swift
/// struct Tree: CatalogRecord {
///   static let indexes: [RecordIndex<Tree>] = [.text(\.species), .order(\.height), .value(\.species)]
///   let id: String
///   let species: String?
///   let height: Double?
/// }
/// ```
///
/// Queries of ``CatalogView`` use the indexes by themselves. The result of a query is the same with and without
/// them, and only its speed differs. Each index is built in memory by the first or second query that can use it, which costs one pass
/// over all records, and is updated by the changes from then on. It is stored beside a catalog's file, from which the next process reads it.
///
/// | Index | Queries | Time, for n records | Memory per record |
/// |---|---|---|---|
/// | ``text(_:)`` | ``CatalogView/search(_:limit:)``, ``CatalogView/count(matching:)`` | about O(matches) | 3 to 5 bytes per byte of text |
/// | ``order(_:)-1rm7x`` | ``CatalogView/find(_:in:order:limit:)-23ij7``, ``CatalogView/count(_:in:)-8cvze`` | O(log n + results) | 8 bytes, and the distinct values |
/// | ``value(_:)`` | ``CatalogView/find(_:equals:limit:)``, ``CatalogView/count(_:equals:)`` | O(results) | 8 bytes, and the distinct values |
/// | ``place(_:)`` | ``CatalogView/nearest(to:count:where:)``, ``CatalogView/records(in:)``, ``CatalogView/records(within:of:)`` | about O(log n + results) | about 150 bytes |
public struct RecordIndex<Record: CatalogRecord>: Sendable {
  /// A closure that returns the index of a snapshot, a ``KeptIndex``, given that of an earlier view and its place among
  /// the declared ones.
  @usableFromInline
  typealias Keeping =
    @Sendable (IndexedSnapshot<Record>, _ earlier: (any Sendable)?, _ place: Int) -> any Sendable

  @usableFromInline
  enum Kind: Sendable {
    case text([@Sendable (Record) -> String?])
    case place(@Sendable (Record) -> Coordinate?)
    case field(any AnyKeyPath & Sendable, Keeping)
  }

  @usableFromInline
  let kind: Kind

  @usableFromInline
  init(_ kind: Kind) { self.kind = kind }

  /// Declares the texts that a search covers.
  ///
  /// A match lies within one text. The search ignores case, diacritics, width, and variants such as 臺 and 台.
  ///
  /// If a type declares no texts, ``CatalogRecord/searchText`` is searched.
  ///
  /// ```swift
  /// .text(\.name, \.address)
  /// ```
  ///
  /// - Parameter texts: Key paths to the texts, or closures that return them.
  public static func text(_ texts: (@Sendable (Record) -> String?)...) -> Self {
    Self(.text(texts))
  }

  /// Declares the location by which records are found.
  ///
  /// A type has one location. If it declares none, that is ``CatalogRecord/coordinate``; if it declares several, the
  /// first.
  ///
  /// - Parameter coordinate: A key path to the location, or a closure that returns it.
  public static func place(_ coordinate: @escaping @Sendable (Record) -> Coordinate?) -> Self {
    Self(.place(coordinate))
  }

  /// Declares an index of the order of a value.
  ///
  /// - Parameter value: The key path by which queries name the value.
  @inlinable
  public static func order<Value: Comparable & Hashable & Sendable>(
    _ value: any KeyPath<Record, Value> & Sendable
  ) -> Self {
    order(value) { $0[keyPath: value] }
  }

  /// Declares an index of the order of an optional value.
  ///
  /// - Parameter value: The key path by which queries name the value.
  @inlinable
  public static func order<Value: Comparable & Hashable & Sendable>(
    _ value: any KeyPath<Record, Value?> & Sendable
  ) -> Self {
    order(value) { $0[keyPath: value] }
  }

  /// Declares an index of the records with equal values, which may be optional.
  ///
  /// - Parameter value: The key path by which queries name the value.
  @inlinable
  public static func value<Value: Hashable & Sendable>(
    _ value: any KeyPath<Record, Value> & Sendable
  ) -> Self {
    Self(
      .field(value) { content, earlier, place in
        // In the module of the record, so that the loops are compiled for its types.
        KeptIndex<Record, GroupIndex<Value>>(
          of: content, after: earlier as? KeptIndex<Record, GroupIndex<Value>>,
          price: content.fieldPrice, form: GroupIndex.form(place, value) { $0[keyPath: value] }
        ) { snapshot in
          GroupIndex(of: snapshot) { $0[keyPath: value] }
        } update: { index, changes in
          index.updated(by: changes) { $0[keyPath: value] }
        }
      })
  }

  @inlinable
  static func order<Value: Comparable & Hashable & Sendable>(
    _ path: any AnyKeyPath & Sendable, by value: @escaping @Sendable (Record) -> Value?
  ) -> Self {
    Self(
      .field(path) { content, earlier, place in
        KeptIndex<Record, OrderIndex<Value>>(
          of: content, after: earlier as? KeptIndex<Record, OrderIndex<Value>>,
          price: content.fieldPrice, form: OrderIndex.form(place, path, by: value)
        ) { snapshot in
          OrderIndex(of: snapshot, by: value)
        } update: { index, changes in
          index.updated(by: changes, value: value)
        }
      })
  }
}
