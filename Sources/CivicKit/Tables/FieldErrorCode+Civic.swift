public import FieldCore

extension FieldError.Code {
  /// The sync server's response has a `result` other than 0, or none at all.
  public static var civicResult: Self { guided("civic.result") }
  /// There is no such table, or it doesn't accept rows of this kind.
  public static var unknownCivicTable: Self { guided("civic.unknownTable") }
  /// No row of a response is usable, for example because keys are missing; see `problems`.
  public static var unusableCivicRows: Self { guided("civic.unusableRows") }
  /// A row with this key already exists.
  public static var civicRowExists: Self { guided("civic.rowExists") }
  /// The operation needs a sync server, and the directory has none.
  public static var noCivicService: Self { guided("civic.noService") }

  // MARK: Feeds

  /// The city's feed has no items, although it had some before.
  public static var emptyCityFeed: Self { guided("civic.emptyFeed") }
  /// There is no activity with this ID.
  public static var unknownActivity: Self { guided("civic.unknownActivity") }

  // MARK: The old app's database

  /// The file isn't a SQLite database, or is encrypted, which looks the same.
  public static var notADatabase: Self { guided("civic.notADatabase") }
  /// The database is damaged.
  public static var damagedDatabase: Self { guided("civic.damagedDatabase") }
  /// The database was written by a version of the app that is newer than the supported ones.
  public static var newerDatabase: Self { guided("civic.newerDatabase") }

  private static func guided(_ name: String) -> Self {
    Self(rawValue: name) { CivicGuidance.table }
  }
}
