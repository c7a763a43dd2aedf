public import FieldCore

extension FieldError.Code {
  /// The sync server answered with a `result` that is not 0, or with none at all.
  public static var civicResult: Self { Self(rawValue: "civic.result") }
  /// There is no such table, or it does not take rows of this kind.
  public static var unknownCivicTable: Self { Self(rawValue: "civic.unknownTable") }
  /// No row of an answer can be used, such as one without its key; `problems` says why.
  public static var unusableCivicRows: Self { Self(rawValue: "civic.unusableRows") }
  /// A row of this key is there already.
  public static var civicRowExists: Self { Self(rawValue: "civic.rowExists") }
  /// Something was asked for that a sync server has to give, and the directory has none.
  public static var noCivicService: Self { Self(rawValue: "civic.noService") }
}
