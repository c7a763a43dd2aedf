public import FieldCore
public import FieldFoundation

/// What a directory does in one way or another.
public struct CivicOptions: Sendable, Codable {
  /// When the tables are due; always by default, as the old app synchronised at every start.
  public var policy: RefreshPolicy
  /// What stands before a telephone number without an area code; that of Tainan by default.
  public var areaCode: String
  /// Where it is decided which day it is, for banners, and the zone of the activities' dates in the table
  /// `hot`; Taiwan by default.
  public var zone: FixedZone
  /// How many searches the history keeps.
  public var historyLimit: Int
  /// A folder of the app's own that has pictures by the names in the tables; they are taken from there
  /// before anything is downloaded.
  public var pictureFolder: URL?

  /// Makes options; the defaults are those of the old app.
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
