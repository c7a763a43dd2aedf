internal import FieldCore

/// The records of a network file, each validated by itself.
struct NetworkDraft {
  struct Names {
    var chinese: String
    var english: String
    var japanese: String?
    var korean: String?
  }

  struct Train {
    var code: String
    var destination: String
    var first: MetroTrainTimes.Time
    var last: MetroTrainTimes.Time
  }

  var version = ""
  /// The lines without their stops.
  var lines: [MetroLine] = []
  var stops: [(stop: MetroStation.Stop, names: Names)] = []
  var services: [MetroService] = []
  var walks: [(String, String)] = []
  var aliases: [(code: String, name: String)] = []
  var exits: [(code: String, exits: [MetroStation.Exit])] = []
  var trains: [Train] = []
  var problems: [String] = []

  /// Adds a record. Returns a description of the problem if the record is invalid.
  mutating func add(_ kind: String, _ fields: [String], isFirst: Bool) -> String? {
    guard isFirst == (kind == "metro") else { return "\"\(kind)\" isn't allowed here" }
    switch (kind, fields.count) {
    case ("metro", 2) where !fields[1].isEmpty: version = fields[1]
    case ("line", 7): return addLine(fields)
    case ("stop", 8): return addStop(fields)
    case ("service", 3): return addService(fields)
    case ("walk", 2): walks.append((fields[0], fields[1]))
    case ("alias", 2): aliases.append((fields[0], fields[1]))
    case ("exits", 2...): return addExits(fields)
    case ("trains", 2...): return addTrains(fields)
    default: return "\"\(kind)\" with \(fields.count) fields isn't a record of format 1"
    }
    return nil
  }

  private mutating func addLine(_ fields: [String]) -> String? {
    guard !fields[0].isEmpty, let names = Self.names(fields[3...]) else {
      return "a name is missing"
    }
    let digits = fields[2].utf8.dropFirst()
    guard fields[2].hasPrefix("#"), digits.count == 6,
      digits.allSatisfy({ Character(UnicodeScalar($0)).isHexDigit })
    else { return "\"\(fields[2])\" isn't a color" }
    lines.append(
      MetroLine(
        id: MetroLine.ID(rawValue: fields[0]), operatorCode: fields[1], name: names.chinese,
        englishName: names.english, japaneseName: names.japanese, koreanName: names.korean,
        color: fields[2], trunk: []))
    return nil
  }

  private mutating func addStop(_ fields: [String]) -> String? {
    guard !fields[1].isEmpty, let names = Self.names(fields[4...]) else {
      return "a name is missing"
    }
    guard let coordinate = Self.coordinate(fields[2], fields[3]) else {
      return "\(fields[2]), \(fields[3]) isn't a coordinate"
    }
    let code = MetroStation.Code(rawValue: fields[1])
    let line = MetroLine.ID(rawValue: fields[0])
    stops.append((MetroStation.Stop(code: code, line: line, coordinate: coordinate), names))
    return nil
  }

  private mutating func addService(_ fields: [String]) -> String? {
    let line = MetroLine.ID(rawValue: fields[0])
    var service = MetroService(
      id: fields[1], line: line, stops: [], runSeconds: [], stopSeconds: [])
    let words = Self.parts(of: fields[2], between: " ")
    guard words.count >= 3, words.count % 2 == 1 else { return "a service needs two or more stops" }
    for (index, word) in words.enumerated() {
      if index % 2 == 1 {
        guard let seconds = Self.seconds(word), seconds > 0 else {
          return "\"\(word)\" isn't a running time"
        }
        service.runSeconds.append(seconds)
        continue
      }
      let parts = Self.parts(of: word, between: ":", maxSplits: 1)
      guard let seconds = parts.count == 1 ? 0 : Self.seconds(parts[1]) else {
        return "\"\(word)\" isn't a dwell time"
      }
      service.stops.append(MetroStation.Code(rawValue: String(parts[0])))
      service.stopSeconds.append(seconds)
    }
    services.append(service)
    return nil
  }

  private mutating func addExits(_ fields: [String]) -> String? {
    var found: [MetroStation.Exit] = []
    for field in fields.dropFirst() {
      let words = Self.parts(of: field, between: " ")
      guard words.count == 3, !words[0].isEmpty, let place = Self.coordinate(words[1], words[2])
      else { return "\"\(field)\" isn't an exit" }
      found.append(
        MetroStation.Exit(number: words[0] == "-" ? nil : String(words[0]), coordinate: place))
    }
    exits.append((fields[0], found))
    return nil
  }

  private mutating func addTrains(_ fields: [String]) -> String? {
    for field in fields.dropFirst() {
      let words = Self.parts(of: field, between: " ")
      guard words.count == 3, let first = MetroTrainTimes.Time(words[1]),
        let last = MetroTrainTimes.Time(words[2]), first <= last
      else { return "\"\(field)\" isn't a first and last train" }
      trains.append(Train(code: fields[0], destination: String(words[0]), first: first, last: last))
    }
    return nil
  }

  private static func names(_ fields: ArraySlice<String>) -> Names? {
    let fields = Array(fields)
    guard !fields[0].isEmpty, !fields[1].isEmpty else { return nil }
    return Names(
      chinese: fields[0], english: fields[1],
      japanese: fields[2].isEmpty ? fields[0] : fields[2] == "-" ? nil : fields[2],
      korean: fields[3].isEmpty || fields[3] == "-" ? nil : fields[3])
  }

  /// Returns the parts of a text between a separator of ASCII, empty ones included.
  ///
  /// It compares bytes, because looking for the ends of characters takes several times as long.
  private static func parts(
    of text: some StringProtocol, between separator: Unicode.Scalar, maxSplits: Int = .max
  ) -> [Substring] {
    Substring(text).utf8.split(
      separator: UInt8(ascii: separator), maxSplits: maxSplits, omittingEmptySubsequences: false
    ).map { Substring($0) }
  }

  /// Returns a number of seconds, up to one day.
  private static func seconds(_ text: some StringProtocol) -> Int? {
    Int(text).flatMap { (0...86_400).contains($0) ? $0 : nil }
  }

  private static func coordinate(_ latitude: some StringProtocol, _ longitude: some StringProtocol)
    -> Coordinate?
  {
    guard let latitude = Double(latitude), let longitude = Double(longitude) else { return nil }
    return Coordinate(validLatitude: latitude, longitude: longitude)
  }
}
