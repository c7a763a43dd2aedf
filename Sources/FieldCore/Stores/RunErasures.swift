/// The marks of the last erasures of a kit's stores when a refresh began.
///
/// A kit of several parts reads each of them over what is stored then. If another kit of the storage, in this process or
/// in another one, has erased the stores in the meantime, a later part must not fill them again.
struct RunErasures: Sendable {
  /// The marks of the refresh that this task belongs to; none outside of one.
  @TaskLocal static var current = RunErasures()

  /// The marks of the stores of each type of record.
  private var marks: [ObjectIdentifier: Set<String?>] = [:]

  init() {}

  init(of stores: [any RecordStore]) async throws {
    var own: [ObjectIdentifier: Set<String?>] = [:]
    for store in stores {
      if let (type, mark) = try await Self.mark(of: store) { own[type, default: []].insert(mark) }
    }
    // A part of a kit may have an engine and a store of its own.
    marks = Self.current.marks.merging(own) { $1 }
  }

  /// Returns whether a store had this mark when the refresh began, or doesn't belong to it.
  func contains<Record: StoredRecord>(_ mark: String?, of type: Record.Type) -> Bool {
    contains(mark, of: ObjectIdentifier(type))
  }

  private func contains(_ mark: String?, of type: ObjectIdentifier) -> Bool {
    marks[type]?.contains(mark) ?? true
  }

  /// Returns whether none of the stores was erased since the refresh began.
  func apply(to stores: [any RecordStore]) async throws -> Bool {
    for store in stores {
      if let (type, mark) = try await Self.mark(of: store), !contains(mark, of: type) {
        return false
      }
    }
    return true
  }

  /// Returns the mark of a store, or `nil` if it can't be read, which the parts that need it report.
  private static func mark<Store: RecordStore>(
    of store: Store
  ) async throws -> (type: ObjectIdentifier, mark: String?)? {
    do {
      return (ObjectIdentifier(Store.Record.self), try await store.snapshot().checkpoint?.erasure)
    } catch is CancellationError {
      throw CancellationError()
    } catch {
      return nil
    }
  }
}
