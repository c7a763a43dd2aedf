public import FieldCore
public import FieldFoundation

/// A refresh of a diary from elsewhere, such as from a server that other devices write to.
///
/// It commits what is new to the diary's ``WalkRepository``. A diary whose store is complete, on the device
/// or in a shared database, needs none.
public struct WalkRefresh: Sendable {
  /// The source to credit beside the data.
  public let dataSource: DataSource

  let nextDate: @Sendable () async throws -> Date
  let lastSuccess: @Sendable () async throws -> Date?
  let fetch: @Sendable (RefreshTrigger) async throws -> RefreshReport

  /// Creates a refresh.
  ///
  /// - Parameters:
  ///   - dataSource: The source to credit beside the data.
  ///   - nextDate: A closure that returns the date when the next refresh is due.
  ///   - lastSuccess: A closure that returns the date when the source last confirmed the data, or `nil` if it
  ///     never has.
  ///   - fetch: A closure that fetches and stores the news.
  public init(
    from dataSource: DataSource,
    nextDate: @escaping @Sendable () async throws -> Date,
    lastSuccess: @escaping @Sendable () async throws -> Date?,
    fetch: @escaping @Sendable (RefreshTrigger) async throws -> RefreshReport
  ) {
    self.dataSource = dataSource
    self.nextDate = nextDate
    self.lastSuccess = lastSuccess
    self.fetch = fetch
  }

  /// The part of the diary's engine that runs the refresh.
  var part: RefreshPart {
    RefreshPart("walks", policy: .always) {
      RefreshPart.Status(lastSuccess: try await lastSuccess())
    } schedule: {
      try await nextDate()
    } work: {
      try await fetch($0.trigger)
    }
  }
}
