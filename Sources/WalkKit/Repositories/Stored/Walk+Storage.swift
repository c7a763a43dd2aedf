internal import FieldCore
internal import FieldFoundation

// The values of the records in the order in which they are stored. Changing the order requires a
// new `formatVersion` of the record.

extension Pet {
  func write(to writer: inout RecordWriter) {
    writer.write(id.rawValue)
    writer.write(name)
    writer.write(interned: breed.rawValue)
    writer.write(interned: gender?.rawValue)
    writer.write(birth.map { CalendarDay.first.days(until: $0) })
    writer.write(weight?.kilograms)
    writer.write(optional: photo) { $1.write(to: &$0) }
    writer.write(isArchived)
    writer.write(registered)
  }

  init(reading reader: inout RecordReader) throws {
    self.init(
      id: ID(rawValue: try reader.string()), name: try reader.string(),
      breed: Breed(rawValue: try reader.internedString()),
      gender: try reader.optionalInternedString().map(Gender.init(rawValue:)),
      birth: try reader.optionalInt().map { CalendarDay.first.adding(days: $0) },
      weight: try reader.optionalDouble().map(Weight.kilograms),
      photo: try reader.optional { try WalkPhoto(reading: &$0) },
      isArchived: try reader.bool(), registered: try reader.date())
  }
}

extension Place {
  func write(to writer: inout RecordWriter) {
    writer.write(id.rawValue)
    writer.write(name)
    writer.write(interned: kind.rawValue)
    writer.write(coordinate)
  }

  init(reading reader: inout RecordReader) throws {
    self.init(
      id: ID(rawValue: try reader.string()), name: try reader.string(),
      kind: Kind(rawValue: try reader.internedString()), coordinate: try reader.coordinate())
  }
}

extension WalkPhoto {
  func write(to writer: inout RecordWriter) {
    writer.write(id.rawValue)
    writer.write(optional: takenAt) { $0.write($1) }
    writer.write(optional: coordinate) { $0.write($1) }
    writer.write(blob?.hexadecimal)
    writer.write(url?.absoluteString)
  }

  init(reading reader: inout RecordReader) throws {
    self.init(
      id: ID(rawValue: try reader.string()), takenAt: try reader.optional { try $0.date() },
      coordinate: try reader.optional { try $0.coordinate() }, blob: try reader.optionalBlob(),
      url: try reader.optionalURL())
  }
}

extension Walk {
  func write(to writer: inout RecordWriter) {
    writer.write(id.rawValue)
    writer.write(pets) { $1.write(to: &$0) }
    writer.write(start)
    writer.write(end)
    writer.write(utcOffset.secondsFromUTC)
    writer.write(duration)
    writer.write(elapsed)
    writer.write(movingTime)
    writer.write(distance.meters)
    writer.write(climb?.meters)
    writer.write(interned: weather?.rawValue)
    writer.write(interned: dust?.rawValue)
    writer.write(optional: air) { $1.write(to: &$0) }
    writer.write(photos) { $1.write(to: &$0) }
    writer.write(notes) { $1.write(to: &$0) }
    writer.write(optional: goal) { $1.write(to: &$0) }
    writer.write(optional: reward) { $1.write(to: &$0) }
    writer.write(routeBlob?.hexadecimal)
  }

  init(reading reader: inout RecordReader) throws {
    self.init(
      id: ID(rawValue: try reader.string()),
      pets: try reader.array { try Participant(reading: &$0) }, start: try reader.date(),
      end: try reader.date(), utcOffset: try reader.zone(), duration: try reader.duration(),
      elapsed: try reader.duration(), movingTime: try reader.duration(),
      distance: .meters(try reader.double()),
      climb: try reader.optionalDouble().map(Distance.meters),
      weather: try reader.optionalInternedString().map(WalkWeather.init(rawValue:)),
      dust: try reader.optionalInternedString().map(DustGrade.init(rawValue:)),
      air: try reader.optional { try AirQuality(reading: &$0) },
      photos: try reader.array { try WalkPhoto(reading: &$0) },
      notes: try reader.array { try WalkNote(reading: &$0) },
      goal: try reader.optional { try Place(reading: &$0) },
      reward: try reader.optional { try WalkReward(reading: &$0) })
    routeBlob = try reader.optionalBlob()
  }

  /// Reads the ID and checks the rest.
  static func id(checking reader: inout RecordReader) throws -> ID {
    let id = ID(rawValue: try reader.string())
    try reader.skipArray { _ = try Participant(reading: &$0) }
    _ = (try reader.date(), try reader.date(), try reader.zone())
    _ = (try reader.duration(), try reader.duration(), try reader.duration())
    _ = (try reader.double(), try reader.optionalDouble())
    _ = (try reader.optionalInternedString(), try reader.optionalInternedString())
    _ = try reader.optional { try AirQuality(reading: &$0) }
    try reader.skipArray { _ = try WalkPhoto(reading: &$0) }
    try reader.skipArray { _ = try WalkNote(reading: &$0) }
    _ = try reader.optional { try Place(reading: &$0) }
    _ = try reader.optional { try WalkReward(reading: &$0) }
    _ = try reader.optionalBlob()
    return id
  }

  /// Reads what a history is sorted by, and calls `body` with each participant.
  static func start(
    reading reader: inout RecordReader, eachPet body: (Pet.ID) -> Void
  ) throws -> Date {
    try reader.skipString()
    try reader.skipArray { body(try Participant(reading: &$0).pet) }
    return try reader.date()
  }
}

extension Walk.Participant {
  func write(to writer: inout RecordWriter) {
    writer.write(interned: pet.rawValue)
    writer.write(joined)
    writer.write(optional: left) { $0.write($1) }
  }

  init(reading reader: inout RecordReader) throws {
    self.init(
      pet: Pet.ID(rawValue: try reader.internedString()), joined: try reader.date(),
      left: try reader.optional { try $0.date() })
  }
}

extension WalkNote {
  func write(to writer: inout RecordWriter) {
    writer.write(interned: kind.rawValue)
    writer.write(text)
    writer.write(time)
    writer.write(optional: coordinate) { $0.write($1) }
    writer.write(interned: pet?.rawValue)
  }

  init(reading reader: inout RecordReader) throws {
    self.init(
      Kind(rawValue: try reader.internedString()), text: try reader.string(),
      time: try reader.date(), coordinate: try reader.optional { try $0.coordinate() },
      pet: try reader.optionalInternedString().map(Pet.ID.init(rawValue:)))
  }
}

extension WalkReward {
  func write(to writer: inout RecordWriter) {
    writer.write(id.rawValue)
    writer.write(interned: reason.rawValue)
    writer.write(earned)
    writer.write(optional: claimed) { $0.write($1) }
  }

  init(reading reader: inout RecordReader) throws {
    let id = ID(rawValue: try reader.string())
    self.init(
      of: Walk.ID(rawValue: ""), for: Reason(rawValue: try reader.internedString()),
      earned: try reader.date(), claimed: try reader.optional { try $0.date() })
    self.id = id
  }
}

extension AirQuality {
  func write(to writer: inout RecordWriter) {
    writer.write(pm10)
    writer.write(pm25)
    writer.write(optional: measuredAt) { $0.write($1) }
    writer.write(interned: station)
    writer.write(interned: pm10Flag?.rawValue)
    writer.write(interned: pm25Flag?.rawValue)
  }

  init(reading reader: inout RecordReader) throws {
    self.init(
      pm10: try reader.optionalDouble(), pm25: try reader.optionalDouble(),
      measuredAt: try reader.optional { try $0.date() },
      station: try reader.optionalInternedString(),
      pm10Flag: try reader.optionalInternedString().map(Flag.init(rawValue:)),
      pm25Flag: try reader.optionalInternedString().map(Flag.init(rawValue:)))
  }
}
