public import FieldFoundation

/// The facts about the rows of a page, or of a whole source, besides the records.
public struct PageMetadata: Sendable, Hashable, Codable {
  /// The number of rows on the page, including those that couldn't be used.
  public var rowCount: Int
  /// A number for each row that distinguishes it from the others, such as a hash of its key.
  ///
  /// If a page contains only rows that have all been returned before, the source isn't making
  /// progress.
  public var rowHashes: [UInt64]
  /// The position after the last row; `nil` if there are no rows, or no further page.
  public var end: SyncPosition?
  /// A Boolean value that indicates whether this page is the last; `nil` if the source doesn't say.
  public var isLast: Bool?
  /// The approximate total number of rows, as stated by the source.
  public var announcedCount: Int?
  /// The version of the data on the page, as named by the source.
  ///
  /// Pages of different versions aren't used to find deleted records.
  public var dataVersion: String?
  /// The time of the response by the source's own clock.
  public var serverDate: Date?
  /// The date that the source states for the rows, such as that of their import; `nil` if it states none.
  public var sourceDate: Date?
  /// The URL that responded, after redirects.
  public var origin: URL?
  /// The validators with which this response can be confirmed later, by the exact requested URL.
  ///
  /// If all pages of a run have the same validators, these confirm the whole source.
  public var validators: [String: HTTPValidators]
  /// A Boolean value that indicates whether the source confirms the response that the request's
  /// validators are from, in which case the page is empty.
  public var isNotModified: Bool
  /// The notices for the caller, although nothing has failed.
  public var notices: [RefreshReport.Notice]

  /// Creates the metadata of a page.
  public init(
    rowCount: Int, rowHashes: [UInt64] = [], end: SyncPosition? = nil, isLast: Bool? = nil,
    announcedCount: Int? = nil, dataVersion: String? = nil, serverDate: Date? = nil,
    sourceDate: Date? = nil, origin: URL? = nil, validators: [String: HTTPValidators] = [:],
    isNotModified: Bool = false,
    notices: [RefreshReport.Notice] = []
  ) {
    self.rowCount = rowCount
    self.rowHashes = rowHashes
    self.end = end
    self.isLast = isLast
    self.announcedCount = announcedCount
    self.dataVersion = dataVersion
    self.serverDate = serverDate
    self.sourceDate = sourceDate
    self.origin = origin
    self.validators = validators
    self.isNotModified = isNotModified
    self.notices = notices
  }
}
