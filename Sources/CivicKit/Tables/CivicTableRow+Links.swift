internal import FieldCore

extension UnitMembership: CivicTableRow {
  /// ``CivicTable/memberships``.
  public static var table: CivicTable { .memberships }

  /// Says which of the keys is blank.
  public var problems: [String] {
    RowCheck.problems(keys: [("unitId", unitID.rawValue), ("categoryId", categoryID.rawValue)])
  }

  /// ``CivicView/memberships``.
  public static func all(in view: CivicView) -> [Self] { view.memberships }

  /// Finds a row by both its keys.
  public static func find(_ id: ID, in edit: CivicEdit) -> Self? {
    edit.memberships(of: id.unitID).first { $0.id == id }
  }

  /// Puts the row beside the others of its unitID, or in place of the one of its keys.
  public func write(into edit: inout CivicEdit) {
    var rows = edit.memberships(of: unitID)
    if let place = rows.firstIndex(where: { $0.id == id }) {
      rows[place] = self
    } else {
      rows.append(self)
    }
    edit.setMemberships(rows, of: unitID)
  }

  /// Takes a row out, and leaves the others of its unitID.
  public static func remove(_ id: ID, from edit: inout CivicEdit) {
    edit.setMemberships(edit.memberships(of: id.unitID).filter { $0.id != id }, of: id.unitID)
  }
}

extension KeywordLink: CivicTableRow {
  /// ``CivicTable/keywordLinks``.
  public static var table: CivicTable { .keywordLinks }

  /// Says which of the keys is blank.
  public var problems: [String] {
    RowCheck.problems(keys: [("id", objectID), ("keywordId", keywordID.rawValue)])
  }

  /// ``CivicView/keywordLinks``.
  public static func all(in view: CivicView) -> [Self] { view.keywordLinks }

  /// Finds a row by both its keys.
  public static func find(_ id: ID, in edit: CivicEdit) -> Self? {
    edit.keywordLinks(of: id.objectID).first { $0.id == id }
  }

  /// Puts the row beside the others of its objectID, or in place of the one of its keys.
  public func write(into edit: inout CivicEdit) {
    var rows = edit.keywordLinks(of: objectID)
    if let place = rows.firstIndex(where: { $0.id == id }) {
      rows[place] = self
    } else {
      rows.append(self)
    }
    edit.setKeywordLinks(rows, of: objectID)
  }

  /// Takes a row out, and leaves the others of its objectID.
  public static func remove(_ id: ID, from edit: inout CivicEdit) {
    edit.setKeywordLinks(edit.keywordLinks(of: id.objectID).filter { $0.id != id }, of: id.objectID)
  }
}

extension UnitSynonym: CivicTableRow {
  /// ``CivicTable/synonyms``.
  public static var table: CivicTable { .synonyms }

  /// Says which of the keys is blank.
  public var problems: [String] {
    RowCheck.problems(keys: [("unitId", unitID.rawValue), ("keyword", text)])
  }

  /// ``CivicView/synonyms``.
  public static func all(in view: CivicView) -> [Self] { view.synonyms }

  /// Finds a row by both its keys.
  public static func find(_ id: ID, in edit: CivicEdit) -> Self? {
    edit.synonyms(of: id.unitID).first { $0.id == id }
  }

  /// Puts the row beside the others of its unitID, or in place of the one of its keys.
  public func write(into edit: inout CivicEdit) {
    var rows = edit.synonyms(of: unitID)
    if let place = rows.firstIndex(where: { $0.id == id }) {
      rows[place] = self
    } else {
      rows.append(self)
    }
    edit.setSynonyms(rows, of: unitID)
  }

  /// Takes a row out, and leaves the others of its unitID.
  public static func remove(_ id: ID, from edit: inout CivicEdit) {
    edit.setSynonyms(edit.synonyms(of: id.unitID).filter { $0.id != id }, of: id.unitID)
  }
}
