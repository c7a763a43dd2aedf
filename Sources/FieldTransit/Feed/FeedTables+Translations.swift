internal import FieldCore

extension FeedTables {
  /// A text in another language.
  struct Translation {
    var language: UInt32
    var field: TranslatedField
    /// The number of the record, or the string that is translated wherever it appears.
    var record: UInt32
    var isRecord: Bool
    var text: UInt32
  }

  /// Reads the translations of what is shown.
  mutating func readTranslations(_ files: FeedFiles) throws(FieldError) {
    guard let file = try files.file("translations.txt") else { return }
    var log = log
    let columns = [
      "table_name", "field_name", "language", "translation", "record_id", "field_value",
    ]
    try file.forEachRow(columns, required: 4, &log) { row, log in
      // Fields that aren't shown don't matter.
      guard let field = TranslatedField(row.text(0), row.text(1)) else { return }
      guard !row.isEmpty(2), !row.isEmpty(3) else {
        return log.add("it has no language or translation", row, file)
      }
      let ids = [stopIDs, routeIDs, tripIDs, agencyIDs][field.table]
      let record =
        row.isEmpty(4)
        ? row.withBytes(5) { strings.number(of: $0) } : row.withBytes(4) { ids.number(of: $0) }
      // A text that isn't in the feed has nothing to translate.
      guard let record else {
        if !row.isEmpty(4) { log.add("its record doesn't exist", key: row.text(4), row, file) }
        return
      }
      translations.append(
        Translation(
          language: row.withBytes(2) { strings.insert($0).number }, field: field, record: record,
          isRecord: !row.isEmpty(4), text: row.withBytes(3) { strings.insert($0).number }))
    }
    self.log = log
  }

  /// The rows of ``TimetableSection/translations``, in their order; of several for one text, the last one counts.
  var translationRows: [UInt32] {
    var rows: [[UInt32]: UInt32] = [:]
    for row in translations {
      rows[[row.language, row.field.key(isRecord: row.isRecord), row.record]] = row.text
    }
    return rows.sorted { $0.key.lexicographicallyPrecedes($1.key) }.flatMap { $0.key + [$0.value] }
  }
}
