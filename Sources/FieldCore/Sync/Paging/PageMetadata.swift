public import FieldFoundation

/// What is known of a page besides its records.
public struct PageMetadata: Sendable, Hashable {
  /// How many rows the page has, those that could not be used included.
  public var rowCount: Int
  /// A number for each row that tells it from the others, such as a hash of its key: a page of rows
  /// that have all come before shows that the source does not move on.
  public var rowHashes: [UInt64]
  /// The position behind the last row; nil when there is none.
  public var end: SyncPosition?
  /// Whether the source says that nothing comes after this page; nil when it does not say.
  public var isLast: Bool?
  /// About how many rows the source says there are in all.
  public var announcedCount: Int?
  /// What names the version of the data that the page was made from; pages of two versions are not
  /// used to find out what is gone.
  public var dataVersion: String?
  /// The time of the answer by the source's own clock.
  public var serverDate: Date?
  /// The address that answered, after redirects.
  public var origin: URL?
  /// What this answer can be confirmed by later, for the exact address that was asked.
  public var validators: [String: HTTPValidators]
  /// Whether the source confirms that the answer is the one that the request's validators came from;
  /// the page is empty then.
  public var isNotModified: Bool
  /// What the caller should know though nothing has failed.
  public var notices: [RefreshReport.Notice]

  /// Makes the facts.
  public init(
    rowCount: Int, rowHashes: [UInt64] = [], end: SyncPosition? = nil, isLast: Bool? = nil,
    announcedCount: Int? = nil, dataVersion: String? = nil, serverDate: Date? = nil,
    origin: URL? = nil, validators: [String: HTTPValidators] = [:], isNotModified: Bool = false,
    notices: [RefreshReport.Notice] = []
  ) {
    self.rowCount = rowCount
    self.rowHashes = rowHashes
    self.end = end
    self.isLast = isLast
    self.announcedCount = announcedCount
    self.dataVersion = dataVersion
    self.serverDate = serverDate
    self.origin = origin
    self.validators = validators
    self.isNotModified = isNotModified
    self.notices = notices
  }
}
