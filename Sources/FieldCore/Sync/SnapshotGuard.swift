/// Decides whether rows can be a complete snapshot of a source, before anything is removed by it.
///
/// Real sources have answered with an empty list, with their first 1,000 rows and with half a file,
/// all with status 200. A snapshot that is refused changes nothing.
public struct SnapshotGuard: Sendable, Hashable, Codable {
  /// The greatest share of the stored records that may vanish at once, 0 to 1; 0.05 by default.
  public var maximumRemovedFraction: Double
  /// The greatest share of the rows that may fail to be read, 0 to 1; 0.05 by default.
  public var maximumFailedFraction: Double
  /// The size of a page that a portal gives when nobody asks for more: exactly that many rows are
  /// refused when more are stored. 1,000 by default, as with Socrata; nil for none.
  public var pageSize: Int?

  /// Makes a guard.
  public init(
    maximumRemovedFraction: Double = 0.05, maximumFailedFraction: Double = 0.05,
    pageSize: Int? = 1_000
  ) {
    self.maximumRemovedFraction = maximumRemovedFraction
    self.maximumFailedFraction = maximumFailedFraction
    self.pageSize = pageSize
  }

  /// Throws when the rows cannot be a complete snapshot.
  ///
  /// - Parameters:
  ///   - rows: How many rows came, the failed ones included.
  ///   - announced: How many rows the source itself says it has.
  ///   - failures: The rows that could not be read.
  ///   - stored: How many records are stored.
  package func check(
    rows: Int, announced: Int?, failures: [RowFailure], stored: Int
  ) throws(FieldError) {
    if rows == 0 {
      throw refusal("the source gave no rows at all")
    }
    if let announced, rows < announced {
      throw refusal("the source announces \(announced) rows and gave \(rows)")
    }
    if let pageSize, rows == pageSize, stored > rows {
      throw refusal(
        "the source gave exactly \(rows) rows, a portal's first page, and \(stored) are stored")
    }
    if Double(failures.count) > Double(rows) * maximumFailedFraction {
      let first = failures.first.map { "; the first: \($0)" } ?? ""
      throw refusal("\(failures.count) of \(rows) rows cannot be read\(first)")
    }
  }

  /// Throws when too many of the stored records would vanish.
  package func check(vanished: Int, stored: Int) throws(FieldError) {
    guard Double(vanished) > Double(stored) * maximumRemovedFraction else { return }
    throw refusal("\(vanished) of \(stored) stored records are not in it")
  }

  private func refusal(_ reason: String) -> FieldError {
    FieldError(
      .snapshotRefused,
      """
      the snapshot is refused: \(reason). Nothing has been removed. Check the source, or allow it with \
      another SnapshotGuard or with the deletion policy `never`.
      """)
  }
}
