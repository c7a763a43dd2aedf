internal import FieldCore
public import Testing

/// Lets one test with much work run at a time.
///
/// Tests run side by side on as many threads as there are processors. A test that computes for seconds
/// without waiting keeps one of them, and enough such tests keep all the others, those that talk to a
/// server in real time among them, waiting for a minute.
public struct HeavyTrait: TestTrait, SuiteTrait, TestScoping {
  private static let turnstile = Turnstile()

  /// Every test of a suite waits by itself.
  public var isRecursive: Bool { true }

  /// Runs the test when no other heavy one is running.
  public func provideScope(
    for test: Test, testCase: Test.Case?,
    performing function: @concurrent @Sendable () async throws -> Void
  ) async throws {
    try await Self.turnstile.pass { try await function() }
  }
}

extension Trait where Self == HeavyTrait {
  /// One test with much work at a time.
  public static var heavy: Self { Self() }
}
