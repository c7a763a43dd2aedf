internal import FieldCore

/// The columns of the zoo's tables, which share most of their names: a letter for the table, and what
/// is in the column, `A_Name_Ch` and `F_Name_Ch`.
///
/// Case, byte-order marks and surrounding space do not count: 25 of the apps that were looked at
/// hard-code a mark in front of `A_Name_Ch`, and some copies have a question mark there.
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
  case voices, voice1URL, voice2, voice2URL, voice3, voice3URL
  case video
  case number, category, areaName, picture, pictureCaption, info, memo, link
  case title, start, end, time, publishedFrom, publishedUntil, address, site

  /// The names without the table's letter, the usual one first.
  private var names: [String] {
    switch self {
    case .rowNumber, .importDate: []
    case .name: ["name_ch"]
    case .englishName: ["name_en"]
    case .latinName: ["name_latin"]
    case .alternativeNames: ["alsoknown"]
    case .catalogNumber: ["cid"]
    case .geometry: ["geo"]
    case .animalClass: ["class"]
    case .themeName: ["theme_name"]
    case .theme: ["theme_url"]
    case .adoption: ["adopt"]
    // The sign in between is of full width in answers, and not in files.
    case .uses: ["function＆application", "function&application"]
    case .pictures: ["pic01_alt"]
    case .picture1URL: ["pic01_url"]
    case .picture2: ["pic02_alt"]
    case .picture2URL: ["pic02_url"]
    case .picture3: ["pic03_alt"]
    case .picture3URL: ["pic03_url"]
    case .picture4: ["pic04_alt"]
    case .picture4URL: ["pic04_url"]
    case .documents: ["pdf01_alt"]
    case .document1URL: ["pdf01_url"]
    case .document2: ["pdf02_alt"]
    case .document2URL: ["pdf02_url"]
    case .voices: ["voice01_alt"]
    case .voice1URL: ["voice01_url"]
    case .voice2: ["voice02_alt"]
    case .voice2URL: ["voice02_url"]
    case .voice3: ["voice03_alt"]
    case .voice3URL: ["voice03_url"]
    // Misspelt in all years.
    case .video: ["vedio_url", "video_url"]
    case .number: ["no"]
    case .areaName: ["name"]
    case .picture: ["pic_url"]
    case .pictureCaption: ["pic_alt"]
    case .link: ["url", "site_url"]
    case .start: ["startdate"]
    case .end: ["enddate"]
    case .publishedFrom: ["adddate"]
    case .publishedUntil: ["removedate"]
    case .summary, .keywords, .code, .update, .longitude, .latitude, .location, .poiGroup,
      .phylum, .order, .family, .genus, .conservation, .distribution, .habitat, .feature,
      .behavior, .diet, .crisis, .interpretation, .brief, .category, .info, .memo, .title,
      .time, .address, .site:
      ["\(self)".lowercased()]
    }
  }

  /// The column's names in a table.
  func column(in table: ZooTable) -> RowColumn {
    var column = RowColumn()
    switch self {
    case .rowNumber: column.names = ["_id"]
    case .importDate: column.names = [ImportDate.column]
    default:
      column.names = names.flatMap { ["\(table.letter)_\($0)", "?\(table.letter)_\($0)"] }
    }
    return column
  }

  /// The usual name of the column in a table, in lower case.
  func name(in table: ZooTable) -> String { column(in: table).names.first ?? "" }

  /// The next column but some.
  func advanced(by count: Int) -> ZooColumn { ZooColumn(rawValue: rawValue + count) ?? self }
}

extension ZooTable {
  /// The letter that the names of the table's columns begin with.
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

  /// The column that a row is named by, without which a file is none of this table.
  var nameColumn: ZooColumn {
    switch self {
    case .animals, .plants: .name
    case .areas: .areaName
    case .events: .title
    }
  }
}
