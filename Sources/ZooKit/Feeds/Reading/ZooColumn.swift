internal import FieldCore

/// The columns of the zoo's tables, most of whose names consist of a letter for the table and the
/// content of the column: `A_Name_Ch` and `F_Name_Ch`.
///
/// Case, byte-order marks, and surrounding whitespace are ignored: 25 of the examined apps
/// hard-code a mark before `A_Name_Ch`, and some copies have a question mark there.
enum ZooColumn: Int, CaseIterable {
  case rowNumber, importDate
  case name, englishName, latinName, alternativeNames
  case summary, keywords, code, catalogNumber, update
  case geometry, longitude, latitude, location, poiGroup
  case phylum, animalClass, order, family, genus
  case conservation, distribution, habitat, feature, behavior, diet, crisis, interpretation
  case themeName, theme, adoption, brief, uses
  case pictures, picture1URL, picture2, picture2URL, picture3, picture3URL, picture4, picture4URL
  case documents, document1URL, document2, document2URL
  case recordings, voice1URL, voice2, voice2URL, voice3, voice3URL
  case video
  case number, category, areaName, picture, pictureCaption, info, memo, link, siteLink
  case title, start, end, time, publishedFrom, publishedUntil, address, site

  /// The names of all columns in order, without the table's letter; bars separate the several names
  /// of one column.
  ///
  /// The sign in `function＆application` is full width in responses but not in files, and
  /// `vedio_url` has been misspelled in all years.
  private static let names: [Substring] = """
    _id, _importdate, \
    name_ch, name_en, name_latin, alsoknown, \
    summary, keywords, code, cid, update, \
    geo, longitude, latitude, location, poigroup, \
    phylum, class, order, family, genus, \
    conservation, distribution, habitat, feature, behavior, diet, crisis, interpretation, \
    theme_name, theme_url, adopt, brief, function＆application|function&application, \
    pic01_alt, pic01_url, pic02_alt, pic02_url, pic03_alt, pic03_url, pic04_alt, pic04_url, \
    pdf01_alt, pdf01_url, pdf02_alt, pdf02_url, \
    voice01_alt, voice01_url, voice02_alt, voice02_url, voice03_alt, voice03_url, \
    vedio_url|video_url, \
    no, category, name, pic_url, pic_alt, info, memo, url, site_url, \
    title, startdate, enddate, time, adddate, removedate, address, site
    """.split { $0 == "," || $0 == " " }

  func column(in table: ZooTable) -> RowColumn {
    var column = RowColumn()
    column.names = Self.names[rawValue].split(separator: "|").flatMap { name in
      // The portal's own columns are the same in all tables.
      name.hasPrefix("_")
        ? [String(name)] : ["\(table.letter)_\(name)", "?\(table.letter)_\(name)"]
    }
    return column
  }

  /// Returns the usual name of the column in a table, in lowercase.
  func name(in table: ZooTable) -> String { column(in: table).names.first ?? "" }

  /// Returns the column that is `count` positions further on.
  func advanced(by count: Int) -> ZooColumn { ZooColumn(rawValue: rawValue + count) ?? self }
}

extension ZooTable {
  /// The first letter of the table's column names.
  var letter: String {
    switch self {
    case .animals: "a"
    case .areas: "e"
    case .plants: "f"
    case .events: "d"
    }
  }

  /// All columns, at the positions of ``ZooColumn``.
  var columns: [RowColumn] { ZooColumn.allCases.map { $0.column(in: self) } }

  /// The column with a row's name, which every file of this table has.
  var nameColumn: ZooColumn {
    switch self {
    case .animals, .plants: .name
    case .areas: .areaName
    case .events: .title
    }
  }
}
