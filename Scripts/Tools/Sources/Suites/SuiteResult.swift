/// The outcome of one test suite on one reader.
struct SuiteResult {
  /// The suite and the reader, for example `JSONTestSuite y_ on JSONDocument`.
  var name: String
  /// The number of cases that behave as the suite requires.
  var passed = 0
  /// The cases that don't, each with a reason.
  var failures: [(name: String, reason: String)] = []
  /// The reason the suite did not run, or `nil` if it ran.
  var skipped: String?

  mutating func record(_ name: String, _ failure: String?) {
    if let failure { failures.append((name, failure)) } else { passed += 1 }
  }

  func report() {
    if let skipped { return print("\(name): skipped, \(skipped)") }
    print("\(name): \(passed) of \(passed + failures.count)")
    for failure in failures { print("  \(failure.name): \(failure.reason)") }
  }
}
