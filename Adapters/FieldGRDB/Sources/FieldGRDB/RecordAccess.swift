internal import FieldCore
public import GRDB

/// The methods of a record, as closures that are compiled for its type in the module that creates a table.
///
/// GRDB's methods are inlinable for this: a loop over a type that isn't known takes half as long again.
@usableFromInline
struct RecordAccess<Record: FetchableRecord & PersistableRecord & Identifiable & Sendable>: Sendable
{
  /// Inserts each record that has no stored one, and updates the others. Calls the closure before an update, and after an insertion.
  @usableFromInline
  typealias Storing =
    @Sendable (
      _ db: Database, _ records: [Record], _ stored: [Record?],
      _ note: (_ id: Record.ID, _ isNew: Bool) throws -> Void
    ) throws -> Void

  /// Passes each record that a statement returns to a closure.
  @usableFromInline
  typealias Fetching =
    @Sendable (
      _ statement: Statement, _ arguments: StatementArguments, _ body: (Record) throws -> Void
    ) throws -> Void

  /// Returns the values of IDs.
  @usableFromInline
  typealias Values = @Sendable (_ ids: ArraySlice<Record.ID>) -> [DatabaseValue]

  /// Returns the smallest of some IDs, or `nil` if they aren't integers.
  @usableFromInline
  typealias Smallest = @Sendable (_ ids: [Record.ID]) -> Int64?

  let store: Storing
  let fetch: Fetching
  let values: Values
  let smallest: Smallest

  @usableFromInline
  init(
    storing store: @escaping Storing, fetching fetch: @escaping Fetching,
    values: @escaping Values, smallest: @escaping Smallest
  ) {
    (self.store, self.fetch) = (store, fetch)
    (self.values, self.smallest) = (values, smallest)
  }
}
