extension FieldError.Code {
  /// The document declares entities.
  ///
  /// Entities are never expanded: feeds and tracks don't need them, but attacks use them.
  public static var xmlEntities: Self { Self(rawValue: "xml.entities") { XMLGuidance.table } }
  /// The document is larger, is nested deeper, or has longer texts or more attributes than allowed.
  public static var xmlLimit: Self { Self(rawValue: "xml.limit") { XMLGuidance.table } }
}
