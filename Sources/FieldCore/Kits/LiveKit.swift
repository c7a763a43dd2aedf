/// A kit that reports each change of its data, so that the results of queries can be followed.
///
/// ``Catalog`` and all kits of this package conform. To show a result in SwiftUI, use `Live` of `FieldKit`.
///
/// ### How to implement it
///
/// If your kit keeps a catalog, forward to its ``Catalog/updates()``. Queries then read its views.
public protocol LiveKit<View>: Kit {
  /// The sequence of the changes, which by default are views.
  associatedtype Updates: AsyncSequence & Sendable where Updates.Element: Sendable

  /// The type that queries read: a view of the data, or the kit itself if its data isn't kept in memory.
  associatedtype View: Sendable = Updates.Element

  /// Returns the current data, and then an element after each change.
  func updates() -> Updates

  /// Returns the result of a query, and then each result that differs from the one before.
  ///
  /// A change of other data yields nothing.
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
  /// - Parameter query: A closure that queries the data. It doesn't run on the actor of the caller, so it may take long.
  func updates<Value: Equatable & Sendable>(
    of query: @escaping @Sendable (View) async throws -> Value
  ) -> FieldSequence<Value, any Error>
}

extension LiveKit where Updates.Element == View {
  /// By default, the query reads the views of ``LiveKit/updates()``.
  public func updates<Value: Equatable & Sendable>(
    of query: @escaping @Sendable (View) async throws -> Value
  ) -> FieldSequence<Value, any Error> {
    FieldSequence(following: { updates() }).results(of: query)
  }
}

extension FieldSequence where Failure == any Error {
  /// Returns the result of a query of each element, without those that equal the one before.
  package func results<Value: Equatable & Sendable>(
    of query: @escaping @Sendable (Element) async throws -> Value
  ) -> FieldSequence<Value, any Error> {
    let results = scan(nil) { (last: inout Value?, element) async throws -> Value? in
      let value = try await result(of: query, in: element)
      if value == last { return nil }
      last = value
      return value
    }
    // A query that is canceled ends the sequence, and isn't its error.
    return FieldSequence<Value, any Error>(following: { results })
  }
}

@concurrent
private func result<Content: Sendable, Value: Sendable>(
  of query: @Sendable (Content) async throws -> Value, in content: Content
) async throws -> Value {
  try await query(content)
}
