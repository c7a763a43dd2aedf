internal import FieldCore

/// The rows of a dataset at one moment: a value, so that a replica can keep an earlier one.
struct FakeSODATable: Sendable {
  let columns: [FakeSODAServer.Column]
  /// The number of writes.
  var revision = 0
  /// The time of the last write, in microseconds since 1970.
  var modifiedAt: Int64
  private(set) var rows = SortedChunks<FakeSODARecord>()
  private var stamps = SortedChunks<FakeSODAStamp>()
  private var made: FakeSODAMadeRows?
  /// The numbers of generated rows that have since been deleted or stored.
  private var hidden: Set<Int64> = []

  init(columns: [FakeSODAServer.Column], modifiedAt: Int64) {
    self.columns = columns
    self.modifiedAt = modifiedAt
  }

  var count: Int { rows.count + (made?.count ?? 0) - hidden.count }

  /// The highest number of a generated row that isn't stored.
  var lastMadeNumber: Int64 { Int64(made?.count ?? 0) }

  func record(_ number: Int64) -> FakeSODARecord? {
    if let stored = rows.element(number) { return stored }
    guard let made, number >= 1, number <= made.count, !hidden.contains(number) else { return nil }
    return made.record(Int(number - 1), columns)
  }

  /// Inserts a row, or replaces the one with its number.
  mutating func store(_ record: FakeSODARecord) {
    remove(record.number)
    rows.insert(record)
    stamps.insert(record.stamp)
  }

  mutating func remove(_ number: Int64) {
    if let old = rows.remove(number) {
      stamps.remove(old.stamp)
    } else if let made, number >= 1, number <= made.count {
      hidden.insert(number)
    }
  }

  mutating func removeAll() {
    rows = SortedChunks()
    stamps = SortedChunks()
    made = nil
    hidden = []
  }

  /// Sets rows that are generated on demand, with numbers from 1.
  mutating func make(_ rows: FakeSODAMadeRows) { made = rows }

  /// An order in which rows can be read without sorting.
  enum Order {
    case number
    case stamp
  }

  /// Calls a closure with the rows from a position on, until it returns `false`.
  func scan(
    _ order: Order, from start: FakeSODAStamp = .first,
    _ body: (FakeSODARecord) throws -> Bool
  ) rethrows {
    var madeIndex = made?.firstIndex(order, from: start) ?? 0
    let madeCount = made?.count ?? 0
    var rowPlace = rows.lowerBound(start.number)
    var stampPlace = stamps.lowerBound(start)
    func nextStored() -> FakeSODARecord? {
      switch order {
      case .number: rows.next(&rowPlace)
      case .stamp: stamps.next(&stampPlace).flatMap { rows.element($0.number) }
      }
    }
    func nextMade() -> FakeSODARecord? {
      while madeIndex < madeCount, hidden.contains(Int64(madeIndex) + 1) { madeIndex += 1 }
      guard let made, madeIndex < madeCount else { return nil }
      madeIndex += 1
      return made.record(madeIndex - 1, columns)
    }
    var (stored, fresh) = (nextStored(), nextMade())
    while true {
      let isStored: Bool =
        switch (stored, fresh) {
        case (let one?, let other?):
          order == .number ? one.number < other.number : one.stamp < other.stamp
        default: fresh == nil
        }
      guard let record = isStored ? stored : fresh, try body(record) else { return }
      if isStored { stored = nextStored() } else { fresh = nextMade() }
    }
  }
}

/// Rows that are generated on demand, with numbers from 1, in the order of their stamps.
struct FakeSODAMadeRows: Sendable {
  let count: Int
  let stamp: @Sendable (Int) -> Int64
  let row: @Sendable (Int) -> FakeSODAServer.Row

  func record(_ index: Int, _ columns: [FakeSODAServer.Column]) -> FakeSODARecord {
    let row = row(index)
    let stamp = stamp(index)
    return FakeSODARecord(
      number: Int64(index) + 1, version: Int64(index) + 1, createdAt: stamp, updatedAt: stamp,
      cells: columns.map { row[$0.name] ?? .null })
  }

  /// Returns the index of the first row that doesn't precede a position.
  func firstIndex(_ order: FakeSODATable.Order, from start: FakeSODAStamp) -> Int {
    if order == .number { return Int(min(max(start.number, 1), Int64(count) + 1)) - 1 }
    return (0..<count).partitioningIndex { index in
      FakeSODAStamp(updatedAt: stamp(index), number: Int64(index) + 1) >= start
    }
  }
}
