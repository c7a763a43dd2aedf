public import FieldCore

extension FieldError.Code {
  /// The file is no SQLite database, or one that is encrypted, which looks the same.
  public static var notADatabase: Self { Self(rawValue: "civic.notADatabase") }
  /// The database is damaged.
  public static var damagedDatabase: Self { Self(rawValue: "civic.damagedDatabase") }
  /// The database was written by a newer version of the app than is known.
  public static var newerDatabase: Self { Self(rawValue: "civic.newerDatabase") }
}
