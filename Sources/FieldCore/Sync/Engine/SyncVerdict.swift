extension FieldError.Code {
  /// A source gave the same rows again and again: it does not look at what it is asked.
  public static var noProgress: Self { Self(rawValue: "refresh.noProgress") }
  /// A source gave more pages than it can have.
  public static var unboundedPagination: Self { Self(rawValue: "refresh.unboundedPagination") }
  /// A source gave its rows in another order than it was asked for, so some would be lost.
  public static var disordered: Self { Self(rawValue: "refresh.disordered") }
}

extension SyncRun {
  /// Whether an error shows that the rows before it were not what they seemed, so that they have to be
  /// taken back; after any other the next run goes on behind the last page.
  func requiresRollback(by error: FieldError) -> Bool {
    switch error.code {
    case .noProgress, .unboundedPagination, .disordered: true
    case .snapshotRefused: isFull && !isResumed && engine.deletion != .never && !base.isEmpty
    default: false
    }
  }
}
