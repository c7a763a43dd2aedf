extension FieldError.Code {
  /// The document declares entities, which are never expanded: a feed or a track has no need of them,
  /// and attacks have.
  public static var xmlEntities: Self { Self(rawValue: "xml.entities") }
  /// The document is larger, or nested deeper, or has longer texts or more attributes than
  /// was allowed.
  public static var xmlLimit: Self { Self(rawValue: "xml.limit") }
}
