/// Cases to run one after the other, each up to a deadline.
struct ConformanceRun<Case, Body>
where Case: RawRepresentable<String> & Hashable & Sendable, Body: Sendable {
  /// What is proved, as in `transport conformance`.
  let subject: String
  let cases: [(Case, Body)]
  let excluding: Set<Case>
  /// After how long a case is given up.
  let patience: Duration

  /// What has failed.
  ///
  /// - Parameter prepare: Makes what a case needs; what it throws ends the run. What it returns runs the
  ///   case, and what that throws is why the case has failed.
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
        failures.append(
          ConformanceFailure(subject: subject, testCase: name, reason: "\(error)"))
      }
    }
    return failures
  }
}

/// A case that failed.
package struct ConformanceFailure<Case: RawRepresentable<String> & Sendable>: Sendable {
  let subject: String
  /// The case.
  package var testCase: Case
  /// What was seen.
  package var reason: String
}

extension ConformanceFailure: CustomStringConvertible {
  /// The case and what was seen.
  package var description: String { "\(subject), \(testCase.rawValue): \(reason)" }
}
