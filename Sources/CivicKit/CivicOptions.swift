public import FieldCore
public import FieldFoundation

/// Options that configure a civic directory.
public struct CivicOptions: Sendable, Codable {
  /// The policy that decides when the tables are due.
  ///
  /// Defaults to always, as in the old app.
  public var policy: RefreshPolicy
  /// The area code of telephone numbers that have none.
  ///
  /// Defaults to that of Tainan, `06`.
  public var areaCode: String
  /// The time zone of dates in the table `hot`, which also decides when a banner is past.
  ///
  /// Defaults to Taiwan's.
  public var zone: FixedZone
  /// The maximum number of searches in the history.
  ///
  /// Defaults to 50.
  public var historyLimit: Int
  /// A folder of your app that contains pictures under the names in the tables.
  ///
  /// A picture in this folder is used instead of being downloaded.
  public var pictureFolder: URL?

  /// Creates options; the defaults are those of the old app.
  public init(
    policy: RefreshPolicy = .always, areaCode: String = "06", zone: FixedZone = .taipei,
    historyLimit: Int = 50, pictureFolder: URL? = nil
  ) {
    self.policy = policy
    self.areaCode = areaCode
    self.zone = zone
    self.historyLimit = historyLimit
    self.pictureFolder = pictureFolder
  }
}
