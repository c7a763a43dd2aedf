package import FieldCore

/// Guidance for the module's error codes.
package enum XMLGuidance {
  /// The guidance for each code.
  package static let table = GuidanceRow.table([
    .init(
      .xmlEntities, in: .source, .report,
      en: ("Unsafe Document", "The document declares entities, which the app doesn't allow."),
      zh: ("文件不安全", "文件宣告了實體，App 基於安全考量不予讀取。"),
      ko: ("안전하지 않은 문서", "문서에 앱에서 허용하지 않는 엔티티가 선언되어 있습니다.")),
    .init(
      .xmlLimit, in: .source, .report,
      en: ("Document Too Large", "The document is larger or more complex than the app accepts."),
      zh: ("文件過大", "文件過大或過於複雜，超過 App 可接受的範圍。"),
      ko: ("문서가 너무 큼", "문서가 앱에서 허용하는 것보다 크거나 복잡합니다.")),
  ])
}

extension FieldError.Code {
  /// The document declares entities.
  ///
  /// Entities are never expanded: feeds and tracks don't need them, but attacks use them.
  public static var xmlEntities: Self { Self(rawValue: "xml.entities") { XMLGuidance.table } }
  /// The document is larger, is nested deeper, or has longer texts or more attributes than allowed.
  public static var xmlLimit: Self { Self(rawValue: "xml.limit") { XMLGuidance.table } }
}

extension RowFailure {
  /// Creates a failure from texts of a document, without control characters and at most 200
  /// characters each.
  init(at index: Int, key: String? = nil, quoting text: String = "", reason: String) {
    self.init(
      index: index, key: key.map { String($0.unicodeScalars.prefix(200)).printable },
      excerpt: String(text.unicodeScalars.prefix(200)).printable, reason: reason)
  }
}
