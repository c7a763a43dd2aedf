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
