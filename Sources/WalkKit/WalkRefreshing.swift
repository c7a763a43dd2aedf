public import FieldCore
public import FieldFoundation

/// A type that fetches a diary's news from elsewhere, such as a server that other devices write to.
public protocol WalkRefreshing: Sendable {
  /// The source to credit beside the data.
  var dataSource: DataSource { get }

  /// The date when the next refresh is due.
  var nextRefreshDate: Date { get async throws }

  /// The date when the server last confirmed the data; `nil` if it never has.
  var lastRefresh: Date? { get async throws }

  /// Fetches news.
  func refresh(_ when: RefreshTrigger) async throws -> RefreshReport
}
