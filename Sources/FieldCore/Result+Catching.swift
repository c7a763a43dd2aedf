extension Result where Failure == any Error {
  /// Creates the result of a closure that may suspend.
  package init(catching body: () async throws -> Success) async {
    do { self = .success(try await body()) } catch { self = .failure(error) }
  }
}
