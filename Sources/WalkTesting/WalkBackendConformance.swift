public import FieldFoundation
package import FieldTesting
public import Testing
public import WalkKit

/// A test suite for the contracts of a diary's repositories.
///
/// ### How to use it
///
/// ```swift
/// @Test("my backend keeps to the contract")
/// func conformance() async throws {
///   try await WalkBackendConformance.run { WalkBackend(MyWalks(), blobs: MyBlobs()) }
/// }
/// ```
///
/// To test a persistent backend, pass a closure that opens it in a folder, which is called
/// repeatedly:
///
/// ```swift
/// try await WalkBackendConformance.run(reopening: { folder in .storage(.directory(folder)) })
/// ```
///
/// Every failing case records an issue with its name and its observation. A case ends after at most
/// two minutes, even if the backend never returns.
public enum WalkBackendConformance {
  private typealias Probe = WalkProbe
  private static let subject = "walk backend conformance"

  /// Runs the cases one after another, each with its own backend.
  ///
  /// - Parameters:
  ///   - excluding: The cases to skip because the backend doesn't support them.
  ///   - sourceLocation: The location at which failures are reported.
  ///   - makeBackend: A closure that creates a new, empty backend.
  public static func run(
    excluding: Set<Case> = [], sourceLocation: SourceLocation = #_sourceLocation,
    _ makeBackend: @escaping @Sendable () async throws -> WalkBackend
  ) async throws {
    try await failures(excluding: excluding, makeBackend).record(at: sourceLocation)
  }

  /// Runs the cases on a persistent backend, including that of reopening it.
  ///
  /// - Parameters:
  ///   - excluding: The cases to skip because the backend doesn't support them.
  ///   - sourceLocation: The location at which failures are reported.
  ///   - openBackend: A closure that opens the backend in a folder, which is empty when a case
  ///     begins and is removed when it ends. It is called again for the same folder after the first
  ///     backend was closed.
  public static func run(
    excluding: Set<Case> = [], sourceLocation: SourceLocation = #_sourceLocation,
    reopening openBackend: @escaping @Sendable (URL) async throws -> WalkBackend
  ) async throws {
    try await failures(excluding: excluding, reopening: openBackend).record(at: sourceLocation)
  }

  /// Returns the failures that ``run(excluding:sourceLocation:_:)`` would record, with a time limit
  /// per case.
  package static func failures(
    excluding: Set<Case> = [], patience: Duration = .seconds(120),
    _ makeBackend: @escaping @Sendable () async throws -> WalkBackend
  ) async throws -> [ConformanceFailure<Case>] {
    try await ConformanceRun(
      subject: subject, cases: cases, excluding: excluding, patience: patience
    ).failures { body in { try await body(Probe(backend: try await makeBackend()))() } }
  }

  /// Returns the failures that ``run(excluding:sourceLocation:reopening:)`` would record, with a
  /// time limit per case.
  package static func failures(
    excluding: Set<Case> = [], patience: Duration = .seconds(120),
    reopening openBackend: @escaping @Sendable (URL) async throws -> WalkBackend
  ) async throws -> [ConformanceFailure<Case>] {
    try await ConformanceRun(
      subject: subject, cases: cases + [(.reopening, Probe.reopening)], excluding: excluding,
      patience: patience
    ).failures { body in
      {
        try await withTemporaryFolder { folder in
          let probe = Probe(
            backend: try await openBackend(folder), reopen: { try await openBackend(folder) })
          try await body(probe)()
        }
      }
    }
  }

  /// All cases except that of reopening a backend.
  package static var allCases: Set<Case> { Set(cases.map(\.0)) }

  private static var cases: [(Case, ConformanceBody<Probe>)] {
    [
      (.emptyAtFirst, Probe.emptyAtFirst), (.petRoundTrip, Probe.petRoundTrip),
      (.petOrder, Probe.petOrder), (.petName, Probe.petName), (.petAddedTwice, Probe.petAddedTwice),
      (.petUpdate, Probe.petUpdate), (.petRename, Probe.petRename),
      (.petNameRace, Probe.petNameRace), (.petUpdateRace, Probe.petUpdateRace),
      (.petRemoval, Probe.petRemoval), (.walkRoundTrip, Probe.walkRoundTrip),
      (.walkSavedTwice, Probe.walkSavedTwice), (.walkOfUnknownPet, Probe.walkOfUnknownPet),
      (.walkOrder, Probe.walkOrder), (.walkPages, Probe.walkPages), (.walkFilter, Probe.walkFilter),
      (.walkQueryErrors, Probe.walkQueryErrors), (.walkUpdate, Probe.walkUpdate),
      (.walkUpdateRace, Probe.walkUpdateRace), (.walkRemoval, Probe.walkRemoval),
      (.placeRoundTrip, Probe.placeRoundTrip), (.onlyOneHome, Probe.onlyOneHome),
      (.choice, Probe.choice), (.batch, Probe.batch), (.batchIsWhole, Probe.batchIsWhole),
      (.blobsInUse, Probe.blobsInUse), (.blobRoundTrip, Probe.blobRoundTrip),
      (.erasing, Probe.erasing), (.updates, Probe.updates),
    ]
  }
}
