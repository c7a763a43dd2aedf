public import FieldCore

extension FieldError.Code {
  // MARK: openData: the dataset has changed

  /// The dataset has no data under any of its IDs: it was retired, or moved to another ID.
  public static var datasetRetired: Self {
    Self(rawValue: "openData.retired") { PortalGuidance.table }
  }
  /// The server returned fewer rows than announced, returned a page twice, or announced another
  /// number on a later page: rows have moved, so some were repeated or are missing.
  public static var datasetIncomplete: Self {
    Self(rawValue: "openData.incomplete") { PortalGuidance.table }
  }
}
