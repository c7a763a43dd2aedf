public import FieldCore
public import FieldFoundation

/// Gets a diary's news from elsewhere, such as a server that other devices write to.
public protocol WalkRefreshing: Sendable {
  /// Whose data it is, to be named beside it.
  var dataSource: DataSource { get }

  /// When it is time to ask again.
  var nextRefreshDate: Date { get async throws }

  /// The date when the server last confirmed the data; `nil` if it never has.
  var lastRefresh: Date? { get async throws }

  /// Asks for news.
  func refresh(_ when: RefreshTrigger) async throws -> RefreshReport
}
