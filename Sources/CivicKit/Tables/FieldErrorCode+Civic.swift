public import FieldCore

extension FieldError.Code {
  /// The sync server's response has a `result` other than 0, or none at all.
  public static var civicResult: Self { Self(rawValue: "civic.result") { CivicGuidance.table } }
  /// There is no such table, or it doesn't accept rows of this kind.
  public static var unknownCivicTable: Self {
    Self(rawValue: "civic.unknownTable") { CivicGuidance.table }
  }
  /// No row of a response is usable, for example because keys are missing; see `problems`.
  public static var unusableCivicRows: Self {
    Self(rawValue: "civic.unusableRows") { CivicGuidance.table }
  }
  /// A row with this key already exists.
  public static var civicRowExists: Self {
    Self(rawValue: "civic.rowExists") { CivicGuidance.table }
  }
  /// The operation needs a sync server, and the directory has none.
  public static var noCivicService: Self {
    Self(rawValue: "civic.noService") { CivicGuidance.table }
  }
}
