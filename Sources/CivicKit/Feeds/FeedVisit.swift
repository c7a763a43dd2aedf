internal import FieldCore

struct FeedVisit: Sendable {
  /// What was done with the feed's items; `nil` if the feed couldn't be read.
  var report: RefreshReport?
  /// The error if the feed couldn't be read, or not to its end because it isn't well-formed.
  var fault: FieldError?
}
