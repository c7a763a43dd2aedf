/// A guard that decides whether rows can be a complete snapshot of a source, before anything is
/// deleted.
///
/// Real sources have responded with an empty list, with their first 1,000 rows, and with half a
/// file, all with status 200. A snapshot that is refused changes nothing.
public struct SnapshotGuard: Sendable, Hashable, Codable {
  /// The maximum fraction of stored records that may be removed at once, from 0 through 1; defaults
  /// to 0.05.
  public var maximumRemovedFraction: Double
  /// The maximum fraction of rows that may fail to be read, from 0 through 1; defaults to 0.05.
  public var maximumFailedFraction: Double
  /// The default size of the portal's pages; defaults to 1,000, as in Socrata, and `nil` means
  /// none.
  ///
  /// If exactly this many rows are returned, and more are stored, the rows are refused.
  public var pageSize: Int?

  /// Creates a guard.
  public init(
    maximumRemovedFraction: Double = 0.05, maximumFailedFraction: Double = 0.05,
    pageSize: Int? = 1_000
  ) {
    self.maximumRemovedFraction = maximumRemovedFraction
    self.maximumFailedFraction = maximumFailedFraction
    self.pageSize = pageSize
  }

  /// Throws an error if the rows can't be a complete snapshot.
  ///
  /// - Parameters:
  ///   - rows: The number of rows, including failed ones.
  ///   - announced: The number of rows that the source itself states.
  ///   - failures: The rows that couldn't be read.
  ///   - stored: The number of stored records.
  package func check(
    rows: Int, announced: Int?, failures: [RowFailure], stored: Int
  ) throws(FieldError) {
    if rows == 0 {
      throw refusal("the source returned no rows")
    }
    if let announced, rows < announced {
      throw refusal("the source announced \(announced) rows but returned \(rows)")
    }
    if let pageSize, rows == pageSize, stored > rows {
      throw refusal(
        "the source returned exactly \(rows) rows, a portal's first page, but \(stored) are stored")
    }
    if Double(failures.count) > Double(rows) * maximumFailedFraction {
      let first = failures.first.map { "; the first: \($0)" } ?? ""
      throw refusal("\(failures.count) of \(rows) rows can't be read\(first)")
    }
  }

  /// Throws an error if too many of the stored records would be removed.
  package func check(removed: Int, stored: Int) throws(FieldError) {
    guard Double(removed) > Double(stored) * maximumRemovedFraction else { return }
    throw refusal("\(removed) of \(stored) stored records are missing from it")
  }

  private func refusal(_ reason: String) -> FieldError {
    FieldError(
      .snapshotRefused,
      """
      The snapshot was rejected: \(reason). Nothing was removed. Check the source, or allow it \
      with another SnapshotGuard or with the deletion policy `never`.
      """)
  }
}
