internal import FieldCore

extension CivicUnit: CivicTableRow {
  /// ``CivicTable/units``.
  public static var table: CivicTable { .units }

  /// Says when the key or the name is blank.
  public var problems: [String] {
    RowCheck.problems(keys: [("unitId", id.rawValue)], name: name)
  }

  /// ``CivicView/units``.
  public static func all(in view: CivicView) -> [Self] { view.units }

  /// Finds a row by its key.
  public static func find(_ id: ID, in edit: CivicEdit) -> Self? {
    guard case .unit(let row)? = edit[CivicRecord.ID(.unit, id.rawValue)] else { return nil }
    return row
  }

  /// Puts the row in.
  public func write(into edit: inout CivicEdit) { edit.put(.unit(self)) }

  /// Takes a row out.
  public static func remove(_ id: ID, from edit: inout CivicEdit) {
    edit.remove(CivicRecord.ID(.unit, id.rawValue))
  }
}

extension UnitCategory: CivicTableRow {
  /// ``CivicTable/categories``.
  public static var table: CivicTable { .categories }

  /// Says when the key or the name is blank.
  public var problems: [String] {
    RowCheck.problems(keys: [("categoryId", id.rawValue)], name: name)
  }

  /// ``CivicView/categories``.
  public static func all(in view: CivicView) -> [Self] { view.categories }

  /// Finds a row by its key.
  public static func find(_ id: ID, in edit: CivicEdit) -> Self? {
    guard case .category(let row)? = edit[CivicRecord.ID(.category, id.rawValue)] else {
      return nil
    }
    return row
  }

  /// Puts the row in.
  public func write(into edit: inout CivicEdit) { edit.put(.category(self)) }

  /// Takes a row out.
  public static func remove(_ id: ID, from edit: inout CivicEdit) {
    edit.remove(CivicRecord.ID(.category, id.rawValue))
  }
}

extension CivicKeyword: CivicTableRow {
  /// ``CivicTable/keywords``.
  public static var table: CivicTable { .keywords }

  /// Says when the key or the name is blank.
  public var problems: [String] {
    RowCheck.problems(keys: [("keywordId", id.rawValue)], name: text)
  }

  /// ``CivicView/keywords``.
  public static func all(in view: CivicView) -> [Self] { view.keywords }

  /// Finds a row by its key.
  public static func find(_ id: ID, in edit: CivicEdit) -> Self? {
    guard case .keyword(let row)? = edit[CivicRecord.ID(.keyword, id.rawValue)] else { return nil }
    return row
  }

  /// Puts the row in.
  public func write(into edit: inout CivicEdit) { edit.put(.keyword(self)) }

  /// Takes a row out.
  public static func remove(_ id: ID, from edit: inout CivicEdit) {
    edit.remove(CivicRecord.ID(.keyword, id.rawValue))
  }
}

extension CivicBanner: CivicTableRow {
  /// ``CivicTable/banners``.
  public static var table: CivicTable { .banners }

  /// Says when the key or the name is blank.
  public var problems: [String] {
    RowCheck.problems(keys: [("edmId", id.rawValue)], name: name)
  }

  /// ``CivicView/banners``.
  public static func all(in view: CivicView) -> [Self] { view.banners }

  /// Finds a row by its key.
  public static func find(_ id: ID, in edit: CivicEdit) -> Self? {
    guard case .banner(let row)? = edit[CivicRecord.ID(.banner, id.rawValue)] else { return nil }
    return row
  }

  /// Puts the row in.
  public func write(into edit: inout CivicEdit) { edit.put(.banner(self)) }

  /// Takes a row out.
  public static func remove(_ id: ID, from edit: inout CivicEdit) {
    edit.remove(CivicRecord.ID(.banner, id.rawValue))
  }
}

extension CivicApp: CivicTableRow {
  /// ``CivicTable/apps``.
  public static var table: CivicTable { .apps }

  /// Says when the key or the name is blank.
  public var problems: [String] {
    RowCheck.problems(keys: [("appId", id.rawValue)], name: name)
  }

  /// ``CivicView/apps``.
  public static func all(in view: CivicView) -> [Self] { view.apps }

  /// Finds a row by its key.
  public static func find(_ id: ID, in edit: CivicEdit) -> Self? {
    guard case .app(let row)? = edit[CivicRecord.ID(.app, id.rawValue)] else { return nil }
    return row
  }

  /// Puts the row in.
  public func write(into edit: inout CivicEdit) { edit.put(.app(self)) }

  /// Takes a row out.
  public static func remove(_ id: ID, from edit: inout CivicEdit) {
    edit.remove(CivicRecord.ID(.app, id.rawValue))
  }
}

extension InstructionPage: CivicTableRow {
  /// ``CivicTable/instructions``.
  public static var table: CivicTable { .instructions }

  /// None: the number is a key whatever it is, and the name may be empty.
  public var problems: [String] { [] }

  /// ``CivicView/instructions``.
  public static func all(in view: CivicView) -> [Self] { view.instructions }

  /// Finds a page by its number.
  public static func find(_ id: Int, in edit: CivicEdit) -> Self? {
    guard case .instruction(let row)? = edit[CivicRecord.ID(.instruction, String(id))]
    else { return nil }
    return row
  }

  /// Puts the page in.
  public func write(into edit: inout CivicEdit) { edit.put(.instruction(self)) }

  /// Takes a page out.
  public static func remove(_ id: Int, from edit: inout CivicEdit) {
    edit.remove(CivicRecord.ID(.instruction, String(id)))
  }
}

extension SearchEntry: CivicTableRow {
  /// ``CivicTable/searchHistory``.
  public static var table: CivicTable { .searchHistory }

  /// Says when the words are blank or have space around them.
  public var problems: [String] { RowCheck.problems(keys: [("searchKeyword", text)]) }

  /// ``CivicView/searchHistory``.
  public static func all(in view: CivicView) -> [Self] { view.searchHistory }

  /// Finds an entry by its words.
  public static func find(_ id: String, in edit: CivicEdit) -> Self? {
    guard case .search(let row)? = edit[CivicRecord.ID(.search, id)] else { return nil }
    return row
  }

  /// Puts the entry in.
  public func write(into edit: inout CivicEdit) { edit.put(.search(self)) }

  /// Takes an entry out.
  public static func remove(_ id: String, from edit: inout CivicEdit) {
    edit.remove(CivicRecord.ID(.search, id))
  }
}
