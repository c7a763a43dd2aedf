internal import FieldCore
internal import FieldFirestore
internal import FieldFoundation
internal import WalkKit

/// A pet, walk, or place as the fields of a document.
enum DiaryDocument: Hashable {
  case pet(Pet)
  case walk(Walk)
  case place(Place)

  /// Creates the document of a record; `nil` for a record that stays on the device.
  init?(_ record: WalkRecord?) {
    switch record?.content {
    case .pet(let pet): self = .pet(pet)
    case .walk(let walk): self = .walk(walk)
    case .place(let place): self = .place(place)
    case .choice, .alias, .operation, .attachment, nil: return nil
    }
  }

  var record: WalkRecord {
    switch self {
    case .pet(let pet): .init(.pet(pet))
    case .walk(let walk): .init(.walk(walk))
    case .place(let place): .init(.place(place))
    }
  }

  var subject: WalkEdit.Subject {
    switch self {
    case .pet(let pet): .pet(pet.id)
    case .walk(let walk): .walk(walk.id)
    case .place(let place): .place(place.id)
    }
  }

  /// Returns the values of the fields.
  ///
  /// - Parameter known: The values as they were, in which the elements of collections have their places.
  func values(over known: [String: FieldValue] = [:]) -> [String: FieldValue] {
    switch self {
    case .pet(let pet): pet.values
    case .walk(let walk): walk.values(over: known)
    case .place(let place): place.values
    }
  }

  /// Reads a document of the state.
  ///
  /// - Throws: `FieldError` with the code `rows.schema` if a necessary field is missing.
  init(
    _ subject: WalkEdit.Subject, _ state: DocumentState, _ problems: inout [FieldReader.Problem]
  ) throws(FieldError) {
    var reader = FieldReader(state.values)
    defer { problems += reader.problems }
    let document: DiaryDocument? =
      switch subject {
      case .pet(let id): Pet(id, &reader).flatMap { $0.flaw == nil ? .pet($0) : nil }
      case .walk(let id): Walk(id, &reader).flatMap { $0.flaw == nil ? .walk($0) : nil }
      case .place(let id): Place(id, &reader).map(DiaryDocument.place)
      }
    guard let document else {
      let (kind, id) = subject.names
      throw FieldError(
        .schema, "The document of the \(kind) \(id) can't be used: a necessary field is missing.",
        problems: reader.problems.map(\.reason))
    }
    self = document
  }
}

extension WalkEdit.Subject {
  /// The ID of the record in the store.
  var recordID: String {
    switch self {
    case .pet(let id): WalkRecord.id(of: id)
    case .walk(let id): WalkRecord.id(of: id)
    case .place(let id): WalkRecord.id(of: id)
    }
  }

  /// The ID of the document, in which any text can be a record's ID.
  var documentID: String { PercentEncoding.component(recordID) }

  /// The kind of the record, and its ID.
  var names: (type: String, id: String) {
    switch self {
    case .pet(let id): ("pet", id.rawValue)
    case .walk(let id): ("walk", id.rawValue)
    case .place(let id): ("place", id.rawValue)
    }
  }

  /// Creates the subject with the names ``names``.
  init?(type: String?, id: String?) {
    guard let id else { return nil }
    switch type {
    case "pet": self = .pet(Pet.ID(rawValue: id))
    case "walk": self = .walk(Walk.ID(rawValue: id))
    case "place": self = .place(Place.ID(rawValue: id))
    default: return nil
    }
  }

  /// Reads what a document is about.
  init?(_ document: FirestoreDocument) {
    self.init(type: document["type"]?.string, id: document["id"]?.string)
    // A document in the wrong place would have a twin in the right one.
    guard documentID == document.path.id else { return nil }
  }
}

// MARK: Values

/// Fields of which those without a value are left out.
private func fields(_ fields: [String: FieldValue?]) -> [String: FieldValue] {
  fields.compactMapValues(\.self)
}

extension Pet {
  fileprivate var values: [String: FieldValue] {
    fields([
      "name": .text(name), "breed": .text(breed.rawValue), "gender": .text(gender?.rawValue),
      "birth": .text(birth.map { "\($0)" }), "weight": .number(weight?.kilograms),
      "photo": photo.map { .map($0.values.merging(["id": .text($0.id.rawValue)]) { $1 }) },
      "isArchived": .flag(isArchived), "registered": .time(registered),
    ])
  }

  fileprivate init?(_ id: ID, _ reader: inout FieldReader) {
    guard let name = reader.text("name"), let registered = reader.date("registered") else {
      return nil
    }
    self.init(
      id: id, name: name, breed: reader.text("breed").map(Breed.init(rawValue:)) ?? .other,
      gender: reader.text("gender").map(Gender.init(rawValue:)), birth: reader.day("birth"),
      weight: reader.number("weight").map(Weight.kilograms),
      photo: reader.map("photo") { WalkPhoto($0.text("id") ?? "", &$0) },
      isArchived: reader.flag("isArchived") ?? false, registered: registered)
  }
}

extension Place {
  fileprivate var values: [String: FieldValue] {
    fields([
      "name": .text(name), "kind": .text(kind.rawValue), "place": .place(coordinate),
    ])
  }

  fileprivate init?(_ id: ID, _ reader: inout FieldReader) {
    guard let name = reader.text("name"), let place = reader.coordinate("place") else { return nil }
    self.init(
      id: id, name: name, kind: reader.text("kind").map(Kind.init(rawValue:)) ?? .goal,
      coordinate: place)
  }
}

extension WalkPhoto {
  fileprivate var values: [String: FieldValue?] {
    [
      "takenAt": .time(takenAt), "place": .place(coordinate), "blob": .text(blob?.hexadecimal),
      "url": .text(url?.absoluteString),
    ]
  }

  fileprivate init(_ id: String, _ reader: inout FieldReader) {
    self.init(
      id: ID(rawValue: id), takenAt: reader.date("takenAt"),
      coordinate: reader.coordinate("place"), blob: reader.blob("blob"), url: reader.url("url"))
  }
}

extension Walk {
  fileprivate func values(over known: [String: FieldValue]) -> [String: FieldValue] {
    var values = fields([
      "start": .time(start), "end": .time(end),
      "utcOffset": FieldValue(.integer(Int64(utcOffset.secondsFromUTC))),
      "duration": .seconds(duration),
      "elapsed": .seconds(elapsed), "movingTime": .seconds(movingTime),
      "distance": .number(distance.meters), "climb": .number(climb?.meters),
      "weather": .text(weather?.rawValue), "dust": .text(dust?.rawValue), "air": air?.value,
      "goal": goal.map { .map($0.values.merging(["id": .text($0.id.rawValue)]) { $1 }) },
      "reward": reward?.value, "route": .text(routeBlob?.hexadecimal),
    ])
    let collections: [String: [(id: String, content: [String: FieldValue?])]] = [
      "pets": pets.map { ($0.pet.rawValue, ["joined": .time($0.joined), "left": .time($0.left)]) },
      "photos": photos.map { ($0.id.rawValue, $0.values) },
      "notes": notes.map { ("\($0.kind)-\(FirestoreTimestamp($0.time))", $0.values) },
    ]
    for (collection, elements) in collections {
      let places = ElementPlaces(
        elements, in: collection, over: known, sharesIDs: collection == "notes")
      for (name, value) in places.fields { values[name] = value }
    }
    return values
  }

  fileprivate init?(_ id: ID, _ reader: inout FieldReader) {
    guard let start = reader.date("start"), let end = reader.date("end") else { return nil }
    self.init(
      id: id,
      pets: reader.elements("pets") { reader, pet in
        reader.date("joined").map {
          Participant(pet: Pet.ID(rawValue: pet), joined: $0, left: reader.date("left"))
        }
      }, start: start, end: end, utcOffset: reader.zone("utcOffset") ?? .utc,
      duration: reader.duration("duration"),
      elapsed: reader.duration("elapsed"), movingTime: reader.duration("movingTime"),
      distance: .meters(reader.number("distance") ?? 0),
      climb: reader.number("climb").map(Distance.meters),
      weather: reader.text("weather").map(WalkWeather.init(rawValue:)),
      dust: reader.text("dust").map(DustGrade.init(rawValue:)),
      air: reader.map("air") { AirQuality(&$0) },
      photos: reader.elements("photos") { WalkPhoto($1, &$0) },
      notes: reader.elements("notes") { reader, _ in WalkNote(&reader) },
      goal: reader.map("goal") { Place(Place.ID(rawValue: $0.text("id") ?? ""), &$0) },
      reward: reader.map("reward") { WalkReward($0.text("id") ?? "", &$0) })
    routeBlob = reader.blob("route")
  }
}

extension WalkNote {
  fileprivate var values: [String: FieldValue?] {
    [
      "kind": .text(kind.rawValue), "text": .text(text), "time": .time(time),
      "place": .place(coordinate), "pet": .text(pet?.rawValue),
    ]
  }

  fileprivate init?(_ reader: inout FieldReader) {
    guard let kind = reader.text("kind"), let time = reader.date("time") else { return nil }
    self.init(
      Kind(rawValue: kind), text: reader.text("text") ?? "", time: time,
      coordinate: reader.coordinate("place"), pet: reader.text("pet").map(Pet.ID.init(rawValue:)))
  }
}

extension WalkReward {
  fileprivate var value: FieldValue {
    .map([
      "id": .text(id.rawValue), "reason": .text(reason.rawValue), "earned": .time(earned),
      "claimed": .time(claimed),
    ])
  }

  fileprivate init?(_ id: String, _ reader: inout FieldReader) {
    guard let reason = reader.text("reason"), let earned = reader.date("earned") else { return nil }
    self.init(
      of: Walk.ID(rawValue: ""), for: Reason(rawValue: reason), earned: earned,
      claimed: reader.date("claimed"))
    self.id = ID(rawValue: id)
  }
}

extension AirQuality {
  fileprivate var value: FieldValue {
    .map([
      "pm10": .number(pm10), "pm25": .number(pm25), "measuredAt": .time(measuredAt),
      "station": .text(station), "pm10Flag": .text(pm10Flag?.rawValue),
      "pm25Flag": .text(pm25Flag?.rawValue),
    ])
  }

  fileprivate init(_ reader: inout FieldReader) {
    self.init(
      pm10: reader.number("pm10"), pm25: reader.number("pm25"),
      measuredAt: reader.date("measuredAt"), station: reader.text("station"),
      pm10Flag: reader.text("pm10Flag").map(Flag.init(rawValue:)),
      pm25Flag: reader.text("pm25Flag").map(Flag.init(rawValue:)))
  }
}
