extension FieldError.Code {
  /// A source returned the same rows again and again, so it ignores requests.
  public static var noProgress: Self { Self(rawValue: "refresh.noProgress") }
  /// A source returned more pages than it can have.
  public static var unboundedPagination: Self { Self(rawValue: "refresh.unboundedPagination") }
  /// A source returned its rows in another order than requested, so some could be lost.
  public static var disordered: Self { Self(rawValue: "refresh.disordered") }
}

extension SyncRun {
  /// Returns whether an error shows that earlier rows weren't what they seemed, so that they must
  /// be rolled back; after any other error, the next run continues after the last page.
  func requiresRollback(by error: FieldError) -> Bool {
    switch error.code {
    case .noProgress, .unboundedPagination, .disordered: true
    case .snapshotRefused: isFull && !isResumed && engine.deletion != .never && base.count > 0
    default: false
    }
  }
}
