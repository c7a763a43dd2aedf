public import FieldCore

extension FieldError.Code {
  /// The sync server's response has a `result` other than 0, or none at all.
  public static var civicResult: Self { coded("civic.result") }
  /// There is no such table, or it doesn't accept rows of this kind.
  public static var unknownCivicTable: Self { coded("civic.unknownTable") }
  /// No row of a response is usable, for example because keys are missing; see `problems`.
  public static var unusableCivicRows: Self { coded("civic.unusableRows") }
  /// A row with this key already exists.
  public static var civicRowExists: Self { coded("civic.rowExists") }
  /// The operation needs a sync server, and the directory has none.
  public static var noCivicService: Self { coded("civic.noService") }

  // MARK: Feeds

  /// The city's feed has no items, although it had some before.
  public static var emptyCityFeed: Self { coded("civic.emptyFeed") }
  /// There is no activity with this ID.
  public static var unknownActivity: Self { coded("civic.unknownActivity") }

  // MARK: The old app's database

  /// The file isn't a SQLite database, or is encrypted, which looks the same.
  public static var notADatabase: Self { coded("civic.notADatabase") }
  /// The database is damaged.
  public static var damagedDatabase: Self { coded("civic.damagedDatabase") }
  /// The database was written by a version of the app that is newer than the supported ones.
  public static var newerDatabase: Self { coded("civic.newerDatabase") }

  private static func coded(_ name: String) -> Self { Self(rawValue: name) { CivicGuidance.table } }
}
