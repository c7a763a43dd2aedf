/// The elements of a leaf in their stored form.
///
/// An element is read each time it is used, until that has cost about as much as making all of them. Then all are
/// made and kept, and the stored form is released. So a query that looks at every record once, or a look-up of one,
/// needn't make the others.
@usableFromInline
package final class StoredLeaf<Element: Sendable>: Sendable {
  @usableFromInline
  package typealias Place = Once<[Element?]>.Place
  @usableFromInline
  package typealias Make = @Sendable (RecordReader, _ count: Int) -> [Element?]
  @usableFromInline
  package typealias MakeOne = @Sendable (RecordReader, _ index: Int) -> Element

  private struct Source: Sendable {
    enum Form {
      case read(RecordReader)
      case unread(DistantRecords, group: Int)
    }

    var form: Form
    /// The number of uses that are left before the elements are made.
    var usesLeft = mostUses

    private static var mostUses: Int { 16 }

    /// Returns a reader, and keeps what it reads if it is used for the second time, so that a query that goes through all
    /// records once keeps nothing.
    mutating func use() -> RecordReader {
      usesLeft -= 1
      switch form {
      case .read(let reader): return reader
      case .unread(let records, let group):
        let reader = records.group(group)
        if usesLeft < Self.mostUses - 1 { form = .read(reader) }
        return reader
      }
    }
  }

  let place: Place
  private let count: Int
  private let make: Make
  private let makeOne: MakeOne
  private let source: Lock<Source?>

  /// - Parameter group: The group of the elements, if the reader's records are in the file.
  @usableFromInline
  package init(
    _ reader: RecordReader, group: Int = 0, count: Int, make: @escaping Make,
    makeOne: @escaping MakeOne
  ) {
    place = Place()
    self.count = count
    self.make = make
    self.makeOne = makeOne
    source = Lock(
      Source(form: reader.distant.map { .unread($0, group: group) } ?? .read(reader)))
  }

  deinit { place.free() }

  /// The memory of the elements, which are made if they haven't been, valid as long as this object.
  @usableFromInline
  var pointer: UnsafePointer<[Element?]> {
    source.withLock { source in
      if let reader = source?.use() { place.fill(make(reader, count)) }
      source = nil
    }
    return unsafe UnsafePointer(place.memory)
  }

  /// The elements, which are made if they haven't been.
  @usableFromInline
  var elements: [Element?] { withExtendedLifetime(self) { unsafe pointer.pointee } }

  /// Returns a reader of the elements for one use, or `nil` if they have been made or should be.
  @usableFromInline
  func reader() -> RecordReader? {
    source.withLock { source in
      guard let left = source?.usesLeft, left > 0 else { return nil }
      return source?.use()
    }
  }

  @usableFromInline
  func element(at index: Int) -> Element? {
    if let reader = reader() { return makeOne(reader, index) }
    return elements[index]
  }
}

extension StoredLeaf where Element: StoredRecord {
  /// Creates a leaf of the next records, which have been checked.
  @inlinable
  package convenience init(_ reader: RecordReader, count: Int) {
    self.init(
      reader, count: count, make: { $0.records($1) }, makeOne: { $0.record(at: $1) })
  }

  /// Creates a leaf of a group of records, which have been checked.
  ///
  /// - Parameter ends: The ends of the groups, counted from the next record of the reader.
  @inlinable
  package convenience init(_ reader: RecordReader, group: Int, _ ends: [Int], count: Int) {
    self.init(
      reader.distant == nil ? reader.group(group, ends) : reader, group: group, count: count,
      make: { $0.records($1) }, makeOne: { $0.record(at: $1) })
  }
}
