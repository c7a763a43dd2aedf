import FieldKit

/// The changes of a refresh, as the reports print them.
struct RefreshChange: Encodable {
  let added: Int
  let updated: Int
  let removed: Int
  let unchanged: Int

  init(_ refresh: RefreshReport) {
    added = refresh.added
    updated = refresh.updated
    removed = refresh.removed
    unchanged = refresh.unchanged
  }

  /// Prints what the refreshes of several files have done, and the first rows that could not be used.
  static func printTable(of refreshes: [RefreshReport]) {
    var files = Table("file", "rows", "failed", "added", "updated", "removed", "unchanged")
    for refresh in refreshes {
      files.add(
        refresh.origin?.lastPathComponent ?? "", "\(refresh.rows)", "\(refresh.failureCount)",
        "\(refresh.added)", "\(refresh.updated)", "\(refresh.removed)", "\(refresh.unchanged)")
    }
    files.print()
    for failure in refreshes.flatMap(\.failures).prefix(5) { print("  \(failure)") }
  }
}
