internal import FieldCore

/// What came of asking one feed.
struct FeedVisit: Sendable {
  /// What has been done with its items.
  var report: RefreshReport
  /// Why the feed could not be read to its end, when it is not well-formed.
  var fault: FieldError?
}
