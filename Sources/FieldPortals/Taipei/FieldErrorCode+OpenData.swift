public import FieldCore

extension FieldError.Code {
  // MARK: openData: the dataset is not what it was

  /// The dataset has no data under any of its ids: it has been retired, or moved to another id.
  public static var datasetRetired: Self { Self(rawValue: "openData.retired") }
  /// The server stopped giving rows before the number that it had announced, gave a page twice, or
  /// announced another number on a later page: rows have moved, and some came twice or never.
  public static var datasetIncomplete: Self { Self(rawValue: "openData.incomplete") }
}
