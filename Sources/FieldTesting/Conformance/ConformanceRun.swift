internal import Testing

/// The body of a case: a method of a probe.
typealias ConformanceBody<Probe> = @Sendable (Probe) -> @Sendable () async throws -> Void

/// A run of cases, one after another, each with a deadline.
struct ConformanceRun<Case, Body>
where Case: RawRepresentable<String> & Hashable & Sendable, Body: Sendable {
  private let subject: String
  private let cases: [(Case, Body)]
  private let excluding: Set<Case>
  private let patience: Duration

  /// Creates a run.
  ///
  /// - Parameters:
  ///   - subject: The subject of the test, as in `transport conformance`.
  ///   - cases: The names of the cases and their bodies, in order.
  ///   - excluding: The cases to skip.
  ///   - patience: The time after which a case fails.
  init(
    subject: String, cases: [(Case, Body)], excluding: Set<Case>, patience: Duration
  ) {
    self.subject = subject
    self.cases = cases
    self.excluding = excluding
    self.patience = patience
  }

  /// Returns the failures.
  ///
  /// - Parameter prepare: A closure that prepares a case; an error that it throws ends the run. It
  ///   returns a closure that runs the case, whose error is the reason for the failure.
  func failures(
    _ prepare: (Body) async throws -> @Sendable () async throws -> Void
  ) async throws -> [ConformanceFailure<Case>] {
    var failures: [ConformanceFailure<Case>] = []
    for (name, body) in cases where !excluding.contains(name) {
      try Task.checkCancellation()
      let run = try await prepare(body)
      do {
        try await withDeadline(patience, run)
      } catch {
        try Task.checkCancellation()
        failures.append(ConformanceFailure(subject: subject, testCase: name, reason: "\(error)"))
      }
    }
    return failures
  }
}

/// A case that failed.
package struct ConformanceFailure<Case: RawRepresentable<String> & Sendable>: Sendable,
  CustomStringConvertible
{
  let subject: String
  /// The case.
  package var testCase: Case
  /// The reason for the failure.
  package var reason: String

  /// The case and the reason for its failure.
  package var description: String { "\(subject), \(testCase.rawValue): \(reason)" }
}

extension Array {
  /// Records an issue for each failure.
  func record<Case>(at sourceLocation: SourceLocation)
  where Element == ConformanceFailure<Case> {
    for failure in self { Issue.record("\(failure)", sourceLocation: sourceLocation) }
  }
}
