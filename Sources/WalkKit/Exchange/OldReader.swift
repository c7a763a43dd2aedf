internal import FieldCore
internal import FieldFoundation

/// A reader that turns the records of old documents into pets and walks, and notes their problems.
struct OldReader {
  let now: Date
  private(set) var pets: [Pet] = []
  private(set) var walks: [Walk.ID: Walk] = [:]
  private var order: [Walk.ID] = []
  var problems: [ImportProblem] = []
  var unknownKeys: Set<String> = []
  private var petIDs: Set<Pet.ID> = []
  /// The number of pets with each name that received an ID from their content so far.
  private var sameNames: [String: Int] = [:]

  init(now: Date) { self.now = now }

  private static let petKeys: Set<String> = [
    "key", "name", "breed", "gender", "birth", "weight", "profileurl", "walks", "__collections__",
  ]

  var walksInOrder: [Walk] { order.compactMap { walks[$0] } }

  mutating func read(_ document: OldDocument) {
    guard document.isObject else {
      return lose(document.path, document.value, "the pet isn't an object")
    }
    var fields = OldFields(document, known: Self.petKeys)
    let name = petName(&fields)
    let id = petID(&fields, name: name)
    let pet = Pet(
      id: id, name: name, breed: breed(&fields), gender: gender(&fields), birth: birth(&fields),
      weight: weight(&fields), photo: portrait(&fields), registered: now)
    take(fields)
    pets.append(pet)
    guard let documents = OldDocuments.walks(of: document) else {
      return lose(fields.path("walks"), fields.value("walks"), "the walks aren't a list")
    }
    var counts: [String: Int] = [:]
    for walk in documents { readWalk(walk, of: pet, &counts) }
  }

  mutating func take(_ fields: OldFields) {
    problems += fields.problems
    unknownKeys.formUnion(fields.unknown)
  }

  mutating func lose(_ path: String, _ value: JSONValue?, _ reason: String) {
    let excerpt = value?.canonicalText ?? ""
    problems.append(ImportProblem(path: path, loss: .record, excerpt: excerpt, reason: reason))
  }

  /// Adds a walk; if another pet already contributed it, this pet is added to it.
  mutating func keep(_ walk: Walk) {
    if let known = walks[walk.id] {
      walks[walk.id]?.pets += walk.pets.filter { !known.includes($0.pet) }
    } else {
      walks[walk.id] = walk
      order.append(walk.id)
    }
  }

  private func petName(_ fields: inout OldFields) -> String {
    if let name = fields.text("name", or: "the name isn't a string") { return name }
    let substitute = fields.value("key")?.words ?? "Pet \(pets.count + 1)"
    fields.note("name", .value, "the pet has no name, so it is named \(substitute)")
    return substitute
  }

  private mutating func petID(_ fields: inout OldFields, name: String) -> Pet.ID {
    let key = fields.key()
    if let key, ImportID.isUsable(key) {
      let id = Pet.ID(rawValue: key)
      if petIDs.insert(id).inserted { return id }
      fields.note("key", .value, "another pet has this key, so the pet has a new one")
    } else if key != nil {
      fields.note("key", .value, "the key has a slash or is too long, so the pet has a new one")
    }
    let nameKey = Pet.nameKey(of: name)
    while true {
      let count = sameNames[nameKey, default: 0]
      sameNames[nameKey] = count + 1
      let id = Pet.ID(rawValue: ImportID.make("pet", [nameKey, "\(count)"]))
      if petIDs.insert(id).inserted { return id }
    }
  }

  private func breed(_ fields: inout OldFields) -> Breed {
    if let text = fields.text("breed", or: "the breed isn't a string") { return Breed(text) }
    if !fields.hasNoted("breed") {
      fields.note("breed", .value, "the pet has no breed, so it is imported as another breed (기타)")
    }
    return .other
  }

  private func gender(_ fields: inout OldFields) -> Gender? {
    fields.text("gender", or: "the gender isn't a string").map { Gender(rawValue: $0) }
  }

  private func birth(_ fields: inout OldFields) -> CalendarDay? {
    guard let text = fields.text("birth", or: "the birth date isn't a string") else { return nil }
    guard let day = TimestampParser(zone: .seoul).instant(text)?.day else {
      fields.note("birth", .value, "the birth date isn't a date")
      return nil
    }
    // Seoul's day begins no later than that of any other place where the old app was used.
    guard day <= CalendarDay(now, in: .seoul) else {
      fields.note("birth", .value, "the birth date is in the future")
      return nil
    }
    return day
  }

  private func weight(_ fields: inout OldFields) -> Weight? {
    guard let text = fields.text("weight", or: "the weight is neither a number nor a string") else {
      return nil
    }
    if let weight = try? Weight(text) { return weight }
    // JSON may contain numbers such as 1e1, which people don't type.
    if case .number? = fields.value("weight"), let number = fields.value("weight")?.double,
      number > 0
    {
      return .kilograms(number)
    }
    fields.note("weight", .value, "the weight isn't a number of kilograms above zero")
    return nil
  }

  private func portrait(_ fields: inout OldFields) -> WalkPhoto? {
    guard let text = fields.text("profileURL", or: "the URL isn't a string") else { return nil }
    guard let url = OldFields.address(text) else {
      fields.note("profileURL", .value, "this isn't the URL of a photo")
      return nil
    }
    return WalkPhoto(id: WalkPhoto.ID(rawValue: "profile"), url: url)
  }
}

// MARK: - Walks

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
