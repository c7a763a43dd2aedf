/// A kit whose current data can be followed as views, and queried as it changes.
///
/// ``Catalog`` and the kits of meteorites, the zoo, and a city conform. To show a result in SwiftUI, use `Live` of
/// `FieldKit`.
///
/// ### How to implement it
///
/// If your kit keeps a catalog, forward to its ``Catalog/updates()``.
public protocol LiveKit<View>: Kit {
  /// The type of the views that queries read.
  associatedtype View: Sendable

  /// Returns a view of the current data, and then one after each change.
  func updates() -> ViewUpdates<View>
}

extension LiveKit {
  /// Returns the result of a query, and then each result that differs from the one before.
  ///
  /// A change of other records yields nothing.
  ///
  /// ```swift
  /// for try await tallest in trees.updates(of: { $0.find(\.height, order: .descending, limit: 20) }) {
  ///   print(tallest.map(\.id))
  /// }
  /// ```
  ///
  /// Slow consumers skip intermediate results, but never miss the latest. The sequence ends when its task is canceled
  /// or the kit is closed, and throws what the query throws, or ``FieldError`` if the store can't be opened.
  ///
  /// - Parameter query: A closure that queries a view. It doesn't run on the actor of the caller, so it may take long.
  public func updates<Value: Equatable & Sendable>(
    of query: @escaping @Sendable (View) throws -> Value
  ) -> FieldSequence<Value, any Error> {
    updates().scan(nil) { (last: inout Value?, view) in
      let value = try await result(of: query, in: view)
      if value == last { return nil }
      last = value
      return value
    }
  }
}

@concurrent
private func result<View: Sendable, Value: Sendable>(
  of query: @Sendable (View) throws -> Value, in view: View
) async throws -> Value {
  try query(view)
}
