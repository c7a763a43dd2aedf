internal import FieldCore
internal import FieldFoundation

extension OldReader {
  private static let walkKeys: Set<String> = [
    "key", "date", "duration", "weather", "dust", "images", "walkcaptureurls",
  ]

  /// The maximum number of pets on one walk, because each is compared with all before it.
  private static var mostPets: Int { 256 }
  /// The longest plausible walk in seconds. A longer one comes from a forgotten timer; it is kept
  /// and reported.
  private static var longestLikely: Double { 86_400 }
  /// The longest possible walk in seconds, ten years; a larger number isn't the duration of a walk.
  private static var longestPossible: Double { 315_576_000 }

  /// Reads a walk of a pet; `counts` are the numbers of its walks without a key, by content.
  mutating func readWalk(_ document: OldDocument, of pet: Pet, _ counts: inout [String: Int]) {
    guard document.isObject else {
      return lose(document.path, document.value, "the walk isn't an object")
    }
    var fields = OldFields(document, known: Self.walkKeys)
    let start = start(&fields)
    let length = length(&fields)
    let end = start.date.addingTimeInterval(length)
    var walk = Walk(
      id: Walk.ID(rawValue: ""),
      pets: [Walk.Participant(pet: pet.id, joined: start.date)], start: start.date, end: end,
      utcOffset: start.zone, duration: .seconds(length), elapsed: .seconds(length),
      movingTime: .seconds(length),
      weather: fields.text("weather", or: "the weather isn't a string").flatMap { WalkWeather($0) },
      dust: fields.text("dust", or: "the dust grade isn't a string").flatMap { DustGrade($0) },
      photos: photos(&fields))
    walk.id = walkID(&fields, walk, &counts)
    take(fields)
    keep(walk)
  }

  private func start(_ fields: inout OldFields) -> (date: Date, zone: FixedZone) {
    let unknown = (date: Walk.undatedStart, zone: FixedZone.seoul)
    guard let text = fields.text("date", or: nil) else {
      if let seconds = fields.value("date").flatMap(Self.storeSeconds), abs(seconds) < 1e11 {
        return (Date(timeIntervalSince1970: seconds), .seoul)
      }
      fields.note("date", .value, "the walk has no date, so it is imported without one")
      return unknown
    }
    guard let instant = TimestampParser(zone: .seoul).instant(text) else {
      fields.note("date", .value, "the date can't be read, so the walk is imported without one")
      return unknown
    }
    // The store's own times are in UTC, which isn't the time zone of the walk; the app used
    // Seoul's.
    let isStore = instant.isZoneStated && instant.zone == .utc
    return (instant.date, isStore ? .seoul : instant.zone)
  }

  /// Returns the seconds in the forms that export tools and the store's libraries write:
  /// `{"_seconds": …}`, `{"seconds": …}`, and those in a `value` beside the name of their type.
  private static func storeSeconds(_ value: JSONValue) -> Double? {
    let value = value["__datatype__"] == nil ? value : value["value"] ?? value
    return (value["_seconds"] ?? value["seconds"])?.double
  }

  /// Returns the duration of a walk in seconds, or 0 if it can't be read.
  private func length(_ fields: inout OldFields) -> Double {
    guard fields.text("duration", or: "the duration is neither a number nor a string") != nil else {
      if !fields.hasNoted("duration") {
        fields.note("duration", .value, "the walk has no duration")
      }
      return 0
    }
    guard let seconds = fields.value("duration")?.double, seconds >= 0,
      seconds <= Self.longestPossible
    else {
      fields.note("duration", .value, "the duration isn't a number of seconds")
      return 0
    }
    if seconds > Self.longestLikely {
      fields.note("duration", .nothing, "the walk is longer than a day")
    }
    return seconds
  }

  private func photos(_ fields: inout OldFields) -> [WalkPhoto] {
    let name = fields.value("images") == nil ? "walkCaptureURLs" : "images"
    let texts: [JSONValue]
    switch fields.value(name) {
    case nil, .null: return []
    case .array(let elements): texts = elements
    case .string(let text): texts = text.tidy.isEmpty ? [] : [.string(text)]
    default:
      fields.note(name, .value, "the images aren't a list of URLs")
      return []
    }
    return texts.enumerated().compactMap { index, text in
      if let url = text.words.flatMap(OldFields.address) {
        return WalkPhoto(id: WalkPhoto.ID(rawValue: "\(index + 1)"), url: url)
      }
      fields.note("\(name)[\(index)]", .value, "this isn't the URL of a photo", excerpt: text)
      return nil
    }
  }

  private func walkID(
    _ fields: inout OldFields, _ walk: Walk, _ counts: inout [String: Int]
  ) -> Walk.ID {
    let key = fields.key()
    if let key, ImportID.isUsable(key) {
      let id = Walk.ID(rawValue: key)
      guard let known = walks[id] else { return id }
      // The same walk under another pet was a walk with both pets.
      if known.pets.count < Self.mostPets, known.start == walk.start,
        known.duration == walk.duration, !known.includes(walk.pets[0].pet)
      {
        return id
      }
      fields.note("key", .value, "another walk has this key, so the walk has a new one")
    } else if key != nil {
      fields.note("key", .value, "the key has a slash or is too long, so the walk has a new one")
    }
    let parts = [
      walk.pets[0].pet.rawValue, fields.value("date")?.canonicalText ?? "",
      fields.value("duration")?.words ?? "",
    ]
    let content = ImportID.make("walk", parts)
    while true {
      let count = counts[content, default: 0]
      counts[content] = count + 1
      let id = Walk.ID(rawValue: ImportID.make("walk", parts + ["\(count)"]))
      if walks[id] == nil { return id }
    }
  }
}
