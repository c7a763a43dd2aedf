public import FieldCore

extension FieldError.Code {
  /// The file isn't a SQLite database, or is encrypted, which looks the same.
  public static var notADatabase: Self {
    Self(rawValue: "civic.notADatabase") { CivicGuidance.table }
  }
  /// The database is damaged.
  public static var damagedDatabase: Self {
    Self(rawValue: "civic.damagedDatabase") { CivicGuidance.table }
  }
  /// The database was written by a version of the app that is newer than the supported ones.
  public static var newerDatabase: Self {
    Self(rawValue: "civic.newerDatabase") { CivicGuidance.table }
  }
}
