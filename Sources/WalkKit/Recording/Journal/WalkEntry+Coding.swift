internal import FieldCore
internal import FieldFoundation

/// The format of an entry: a byte for its kind, the milliseconds, and the content. Points are exact
/// numbers, so that a recovered walk equals the recorded one; rare entries are JSON.
extension WalkEntry {
  /// The kind of walk journals, and the version of this format.
  static let header = JournalHeader(kind: "walk", kindVersion: 1)

  private enum Kind: UInt8 {
    case begun = 1
    case point, firstPoint, paused, resumed, recovered, joined, left, mark, photo, note, ending
  }

  /// Returns the bytes of the entry, with room for the journal's prefix.
  func encoded() throws -> [UInt8] {
    var writer = RecordWriter(prefix: JournalScan.prefixSize, capacity: 56)
    func begin(_ kind: Kind) {
      writer.write(byte: kind.rawValue)
      writer.write(UInt64(bitPattern: max(elapsed, 0)))
    }
    func encode(_ kind: Kind, _ content: some Encodable) throws {
      begin(kind)
      try writer.encode(content)
    }
    switch event {
    case .point(let point, let startsSegment):
      begin(startsSegment ? .firstPoint : .point)
      Self.write(point, to: &writer)
    case .begun(let beginning): try encode(.begun, beginning)
    case .paused: begin(.paused)
    case .resumed: begin(.resumed)
    case .recovered: begin(.recovered)
    case .joined(let pet):
      begin(.joined)
      writer.write(pet.rawValue)
    case .left(let pet):
      begin(.left)
      writer.write(pet.rawValue)
    case .mark(let mark):
      begin(.mark)
      writer.write(byte: mark.rawValue)
    case .photo(let photo): try encode(.photo, photo)
    case .note(let note): try encode(.note, note)
    case .ending(let ending): try encode(.ending, ending)
    }
    return writer.bytes
  }

  /// Reads the payload of an entry.
  ///
  /// - Throws: `FieldError` with the code `store.newerFormat` if the kind is unknown, or
  ///   `store.damaged` if the payload is invalid.
  init(_ bytes: [UInt8], _ payload: Range<Int>) throws {
    var reader = RecordReader(bytes, payload)
    let raw = try reader.byte()
    guard let kind = Kind(rawValue: raw) else {
      throw FieldError(
        .newerFormat,
        "A walk's journal contains an entry of the newer kind \(raw). Update the app.")
    }
    // Limited, because a resumed walk goes on counting from here.
    elapsed = min(Int64(clamping: try reader.uint()), 1 << 50)
    switch kind {
    case .point: event = .point(try Self.point(from: &reader), startsSegment: false)
    case .firstPoint: event = .point(try Self.point(from: &reader), startsSegment: true)
    case .begun: event = .begun(try Self.decode(&reader))
    case .paused: event = .paused
    case .resumed: event = .resumed
    case .recovered: event = .recovered
    case .joined: event = .joined(Pet.ID(rawValue: try reader.string()))
    case .left: event = .left(Pet.ID(rawValue: try reader.string()))
    case .mark:
      guard let mark = GoalTracker.Mark(rawValue: try reader.byte()) else {
        throw FieldError(
          .newerFormat, "A walk's journal contains a mark of a newer kind. Update the app.")
      }
      event = .mark(mark)
    case .photo: event = .photo(try Self.decode(&reader))
    case .note: event = .note(try Self.decode(&reader))
    case .ending: event = .ending(try Self.decode(&reader))
    }
  }

  /// Returns the blob of an entry's photo, or `nil` if the entry is of another kind.
  static func photo(_ bytes: [UInt8], _ payload: Range<Int>) throws -> BlobID? {
    if let kind = Kind(rawValue: bytes[payload.lowerBound]), kind != .photo { return nil }
    guard case .photo(let photo) = try WalkEntry(bytes, payload).event else { return nil }
    return photo.blob
  }

  private static func decode<Value: Decodable>(_ reader: inout RecordReader) throws -> Value {
    do {
      return try reader.decode(Value.self)
    } catch {
      throw FieldError.wrapping(error, as: .damaged, "An entry in a walk's journal is invalid.")
    }
  }

  private static func write(_ point: TrackPoint, to writer: inout RecordWriter) {
    let flags: UInt8 =
      (point.time == nil ? 0 : 1) | (point.accuracy == nil ? 0 : 2)
      | (point.elevation == nil ? 0 : 4)
    writer.write(byte: flags)
    writer.write(point.coordinate)
    if let time = point.time { writer.write(time.timeIntervalSinceReferenceDate) }
    if let accuracy = point.accuracy { writer.write(accuracy.meters) }
    if let elevation = point.elevation { writer.write(elevation) }
  }

  private static func point(from reader: inout RecordReader) throws -> TrackPoint {
    let flags = try reader.byte()
    let (latitude, longitude) = (try reader.double(), try reader.double())
    guard let coordinate = Coordinate(validLatitude: latitude, longitude: longitude) else {
      throw FieldError(.damaged, "A point in the walk's journal isn't a coordinate.")
    }
    var point = TrackPoint(coordinate: coordinate)
    if flags & 1 != 0 { point.time = Date(timeIntervalSinceReferenceDate: try reader.double()) }
    if flags & 2 != 0 { point.accuracy = .meters(try reader.double()) }
    if flags & 4 != 0 { point.elevation = try reader.double() }
    return point
  }
}
