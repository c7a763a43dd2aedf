/// A guard that decides whether rows can be a complete snapshot of a source, before anything is
/// deleted.
///
/// Real sources have responded with an empty list, with their first 1,000 rows, and with half a
/// file, all with status 200. A snapshot that is refused changes nothing.
///
/// A fraction says little about a small set: a city may well close 3 of 40 fountains. Up to
/// ``smallCount`` records may therefore be missing whatever their fraction, as long as more than half
/// of the stored ones remain, and a single one always may.
///
/// If a source has really removed more, accept its next snapshot once with
/// ``RefreshTrigger/acceptingRemovals(upTo:)``.
public struct SnapshotGuard: Sendable, Hashable, Codable {
  /// The maximum fraction of stored records that may be removed at once, from 0 through 1; defaults
  /// to 0.05.
  ///
  /// With 0, nothing may be removed, not even by ``smallCount``.
  public var maximumRemovedFraction: Double
  /// The maximum fraction of rows that may fail to be read, from 0 through 1; defaults to 0.05.
  ///
  /// With 0, no row may fail, not even by ``smallCount``.
  public var maximumFailedFraction: Double
  /// The default size of the portal's pages; defaults to 1,000, as in Socrata, and `nil` means
  /// none.
  ///
  /// If exactly this many rows are returned, and more are stored, the rows are refused.
  public var pageSize: Int?
  /// The number of records that may be removed at once, and of rows that may fail, whatever their
  /// fraction, as long as they are fewer than half; defaults to 10.
  ///
  /// Half a file never passes. From 200 records on, the default fraction allows more than 10.
  public var smallCount: Int
  /// The number of removals that a person has accepted for one refresh.
  package var acceptedRemovals = 0

  /// Creates a guard.
  public init(
    maximumRemovedFraction: Double = 0.05, maximumFailedFraction: Double = 0.05,
    pageSize: Int? = 1_000, smallCount: Int = 10
  ) {
    self.maximumRemovedFraction = maximumRemovedFraction
    self.maximumFailedFraction = maximumFailedFraction
    self.pageSize = pageSize
    self.smallCount = smallCount
  }

  private enum CodingKeys: String, CodingKey {
    case maximumRemovedFraction, maximumFailedFraction, pageSize, smallCount
  }

  /// Creates a guard from its encoded form, which older versions wrote without ``smallCount``.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      maximumRemovedFraction: try container.decode(Double.self, forKey: .maximumRemovedFraction),
      maximumFailedFraction: try container.decode(Double.self, forKey: .maximumFailedFraction),
      pageSize: try container.decodeIfPresent(Int.self, forKey: .pageSize))
    smallCount = try container.decodeIfPresent(Int.self, forKey: .smallCount) ?? smallCount
  }

  /// Encodes the guard; ``smallCount`` only if it isn't the default.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(maximumRemovedFraction, forKey: .maximumRemovedFraction)
    try container.encode(maximumFailedFraction, forKey: .maximumFailedFraction)
    try container.encodeIfPresent(pageSize, forKey: .pageSize)
    if smallCount != SnapshotGuard().smallCount {
      try container.encode(smallCount, forKey: .smallCount)
    }
  }

  /// Returns the guard with the removals that the trigger of a refresh accepts.
  package func accepting(_ trigger: RefreshTrigger?) -> SnapshotGuard {
    var accepting = self
    accepting.acceptedRemovals = trigger?.acceptedRemovals ?? 0
    return accepting
  }

  /// Throws an error if the rows can't be a complete snapshot.
  ///
  /// - Parameters:
  ///   - rows: The number of rows, including failed ones.
  ///   - announced: The number of rows that the source itself states.
  ///   - failures: The rows that couldn't be read.
  ///   - stored: The number of stored records.
  ///   - removal: A closure that returns what the rows would remove.
  package func check(
    rows: Int, announced: Int?, failures: [RowFailure], stored: Int,
    removal: () -> RefusedRemoval? = { nil }
  ) throws(FieldError) {
    if rows == 0, stored == 0 || acceptedRemovals < stored {
      throw refusal("the source returned no rows", removal())
    }
    if let announced, rows < announced {
      throw refusal("the source announced \(announced) rows but returned \(rows)")
    }
    if let pageSize, rows == pageSize, stored > rows, acceptedRemovals < stored - rows {
      throw refusal(
        "the source returned exactly \(rows) rows, a portal's first page, but \(stored) are stored",
        removal())
    }
    if !allows(failures.count, of: rows, maximumFailedFraction) {
      let first = failures.first.map { "; the first: \($0)" } ?? ""
      throw refusal("\(failures.count) of \(rows) rows can't be read\(first)")
    }
  }

  /// Returns whether so many rows of a page may fail.
  func allowsFailures(_ count: Int, of rows: Int) -> Bool {
    allows(count, of: rows, maximumFailedFraction)
  }

  /// Throws an error if too many of the stored records would be removed.
  ///
  /// - Parameters:
  ///   - removed: The number of records that would be removed.
  ///   - stored: The number of stored records.
  ///   - reason: A possible reason for so many, for the message.
  ///   - removal: A closure that returns what would be removed.
  package func check(
    removed: Int, stored: Int, because reason: String? = nil,
    removal: () -> RefusedRemoval? = { nil }
  ) throws(FieldError) {
    guard removed > acceptedRemovals, !allows(removed, of: stored, maximumRemovedFraction) else {
      return
    }
    let removal = removal()
    let ids = removal.map { " (\($0))" } ?? ""
    throw refusal(
      "\(removed) of \(stored) stored records are missing from it\(ids)"
        + (reason.map { "; \($0)" } ?? ""), removal)
  }

  private func allows(_ count: Int, of all: Int, _ maximumFraction: Double) -> Bool {
    if Double(count) <= Double(all) * maximumFraction { return true }
    guard maximumFraction > 0, count <= smallCount else { return false }
    // Subtracting can't overflow, whatever a source claims.
    return count == 1 || count < all - count
  }

  private func refusal(_ reason: String, _ removal: RefusedRemoval? = nil) -> FieldError {
    FieldError(
      .snapshotRefused,
      """
      The snapshot was rejected: \(reason). Nothing was removed. Check the source\
      \(removal == nil ? "" : ", accept it once with the trigger `acceptingRemovals`"), or allow it \
      with another SnapshotGuard or with the deletion policy `never`.
      """, underlying: removal)
  }
}
