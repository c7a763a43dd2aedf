public import FieldCore
public import Testing

/// Proves that a record store does what ``/FieldCore/RecordStore`` asks of it.
///
/// Call it from a test of yours; what the store does wrong is recorded as issues of that test.
///
/// ```swift
/// @Test("keeps the contract of record stores")
/// func contract() async {
///   await RecordStoreConformance.run { MyStore<RecordStoreConformance.Sample>() }
/// }
/// ```
///
/// A store that survives its process is checked for that as well, when it is told how to be opened
/// again:
///
/// ```swift
/// await RecordStoreConformance.run { MyStore(file: newFile()) } reopening: { store in
///   try await store.close()
///   return MyStore(file: store.file)
/// }
/// ```
public enum RecordStoreConformance {
  /// The record that the checks store.
  public struct Sample: StoredRecord, Hashable {
    /// The id.
    public var id: Int
    /// Text of any kind.
    public var text: String
    /// A number or none.
    public var number: Double?

    /// Makes a record.
    public init(id: Int, text: String = "", number: Double? = nil) {
      self.id = id
      self.text = text
      self.number = number
    }
  }

  /// Runs all checks, each on a new and empty store.
  ///
  /// - Parameters:
  ///   - sourceLocation: Where issues are recorded.
  ///   - make: Makes a store that is empty.
  public static func run<Store: RecordStore>(
    sourceLocation: SourceLocation = #_sourceLocation, _ make: () async throws -> Store
  ) async where Store.Record == Sample {
    for failure in await failures(make) { failure.record(sourceLocation) }
  }

  /// Runs all checks, each on a new and empty store, and those of a store that survives.
  ///
  /// - Parameters:
  ///   - sourceLocation: Where issues are recorded.
  ///   - make: Makes a store that is empty.
  ///   - reopening: Closes the store and opens what it kept, as if in another process.
  public static func run<Store: RecordStore>(
    sourceLocation: SourceLocation = #_sourceLocation, _ make: () async throws -> Store,
    reopening: (Store) async throws -> Store
  ) async where Store.Record == Sample {
    await run(sourceLocation: sourceLocation, make)
    for check in SurvivalCheck<Store>.all {
      let failure = await Failed(check.name) { try await check.body(try await make(), reopening) }
      failure?.record(sourceLocation)
    }
  }

  /// The checks that a store does not pass.
  package static func failures<Store: RecordStore>(
    _ make: () async throws -> Store
  ) async -> [Failed] where Store.Record == Sample {
    var failures: [Failed] = []
    for check in Check<Store>.all {
      if let failed = await Failed(check.name, { try await check.body(try await make()) }) {
        failures.append(failed)
      }
    }
    return failures
  }

  /// A check that a store did not pass.
  package struct Failed: Sendable {
    package var name: String
    package var error: any Error

    fileprivate init?(_ name: String, _ body: () async throws -> Void) async {
      do {
        try await body()
        return nil
      } catch {
        self.name = name
        self.error = error
      }
    }

    fileprivate func record(_ sourceLocation: SourceLocation) {
      if let failure = error as? Failure {
        Issue.record("\(name): \(failure.what)", sourceLocation: sourceLocation)
      } else {
        Issue.record(error, "\(name)", sourceLocation: sourceLocation)
      }
    }
  }
}

/// What a check found wrong.
struct Failure: Error {
  var what: String
}

/// Throws unless what should hold does.
func require(_ isTrue: Bool, _ what: @autoclosure () -> String) throws {
  if !isTrue { throw Failure(what: what()) }
}

/// Throws unless both are equal.
func requireEqual<Value: Equatable>(
  _ found: Value, _ expected: Value, _ what: @autoclosure () -> String
) throws {
  if found != expected { throw Failure(what: "\(what()): \(found), expected \(expected)") }
}
