extension Timetable {
  /// The languages into which the feed translates names, as it writes them, such as `en` or `zh-Hant`.
  public var languages: [String] {
    storage.read { contents in
      var languages: [String] = []
      for row in stride(from: 0, to: contents.translations.count, by: 4) {
        let language = contents.string(contents.translations[row]) ?? ""
        if languages.last != language { languages.append(language) }
      }
      return languages
    }
  }

  /// Returns the same timetable, whose answers have the names of a language where the feed translates them.
  ///
  /// ```swift
  /// print(timetable.translated(into: "en").stop("R01")?.name ?? "")
  /// ```
  ///
  /// - Parameter language: One of ``languages``, in any case. If the feed doesn't have the language, but has one with the
  ///   same first part, such as `zh` for `zh-TW`, that is used; otherwise, names stay as they are.
  public func translated(into language: String) -> Timetable {
    let wanted = language.lowercased()
    func first(_ text: String) -> Substring { text.lowercased().prefix { $0 != "-" && $0 != "_" } }
    let found =
      languages.first { $0.lowercased() == wanted }
      ?? languages.first { first($0) == first(language) }
    return Timetable(storage: storage.translated(found))
  }
}

/// A field that `translations.txt` may translate and that answers show.
enum TranslatedField: UInt32, CaseIterable {
  case stopName, platform, routeShortName, routeLongName, headsign, tripShortName, agency

  /// Creates the field of a table.
  init?(_ table: String, _ field: String) {
    switch (table, field) {
    case ("stops", "stop_name"): self = .stopName
    case ("stops", "platform_code"): self = .platform
    case ("routes", "route_short_name"): self = .routeShortName
    case ("routes", "route_long_name"): self = .routeLongName
    case ("trips", "trip_headsign"): self = .headsign
    case ("trips", "trip_short_name"): self = .tripShortName
    case ("agency", "agency_name"): self = .agency
    default: return nil
    }
  }

  /// The table: stops, routes, trips, or agencies.
  var table: Int {
    switch self {
    case .stopName, .platform: 0
    case .routeShortName, .routeLongName: 1
    case .headsign, .tripShortName: 2
    case .agency: 3
    }
  }

  /// The number in a compiled timetable: those for a record come before those for a text.
  func key(isRecord: Bool) -> UInt32 { rawValue << 1 | (isRecord ? 0 : 1) }
}

extension TimetableContents {
  /// Returns a text of a record in the language of the timetable, or `nil` if there is none.
  func text(_ number: UInt32, _ field: TranslatedField, of record: Int) -> String? {
    guard let language, number != .max else { return string(number) }
    // "The rule with record_id takes precedence."
    let translated =
      translation(language, field.key(isRecord: true), UInt32(record))
      ?? translation(language, field.key(isRecord: false), number)
    return string(translated ?? number)
  }

  private func translation(_ language: UInt32, _ field: UInt32, _ record: UInt32) -> UInt32? {
    let wanted = (language, field, record)
    var (low, high) = (0, translations.count / 4)
    while low < high {
      let at = (low + high) / 2 * 4
      let found = (translations[at], translations[at + 1], translations[at + 2])
      if found == wanted { return translations[at + 3] }
      if found < wanted { low = at / 4 + 1 } else { high = at / 4 }
    }
    return nil
  }

  /// Returns all names of a stop, in the language of the feed first.
  func names(ofStop stop: Int) -> [String] {
    let name = stops[stop * 7]
    var names = [string(name) ?? ""]
    guard name != .max else { return names }
    var last: UInt32?
    for row in stride(from: 0, to: translations.count, by: 4) where translations[row] != last {
      last = translations[row]
      let found =
        translation(translations[row], TranslatedField.stopName.key(isRecord: true), UInt32(stop))
        ?? translation(translations[row], TranslatedField.stopName.key(isRecord: false), name)
      if let text = found.flatMap(string) { names.append(text) }
    }
    return names
  }
}
