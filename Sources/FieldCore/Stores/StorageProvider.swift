/// Gives a ``Storage`` its stores.
///
/// ### When to implement it
///
/// To keep what the kits have in a database or a cloud of yours: the one value reaches every kit
/// through `Field`.
///
/// ### How to implement it
///
/// - The same name and type give stores of the same content, as often as they are asked for.
/// - Nothing is opened here; a store opens at its first use.
/// - Names are checked before: they are short and plain, and never paths.
public protocol StorageProvider: Sendable {
  /// The records of a store by its name.
  func records<Record: StoredRecord>(
    _ name: String, of type: Record.Type
  ) throws -> any RecordStore<Record>
}
