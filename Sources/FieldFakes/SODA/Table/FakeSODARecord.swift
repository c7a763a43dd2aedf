/// A row as stored by the server.
struct FakeSODARecord: SortedElement {
  /// The number that `:id` represents.
  let number: Int64
  /// The number that `:version` represents.
  var version: Int64
  /// The creation time, in microseconds since 1970.
  var createdAt: Int64
  /// The time of the last change, in microseconds since 1970.
  var updatedAt: Int64
  /// The cells, one for each column.
  var cells: [FakeSODAServer.Cell]

  var sortKey: Int64 { number }
  var stamp: FakeSODAStamp { FakeSODAStamp(updatedAt: updatedAt, number: number) }
}

/// The position of a row in the order of `:updated_at, :id`.
struct FakeSODAStamp: SortedElement, Comparable {
  var updatedAt: Int64
  var number: Int64

  static let first = FakeSODAStamp(updatedAt: .min, number: .min)

  var sortKey: FakeSODAStamp { self }

  static func < (left: Self, right: Self) -> Bool {
    left.updatedAt == right.updatedAt
      ? left.number < right.number : left.updatedAt < right.updatedAt
  }
}
