internal import FieldCore
internal import FieldFoundation

extension RecordWriter {
  mutating func write(_ coordinate: Coordinate) {
    write(coordinate.latitude)
    write(coordinate.longitude)
  }

  mutating func write(_ duration: Duration) {
    write(duration.components.seconds)
    write(duration.components.attoseconds)
  }
}

extension RecordReader {
  mutating func coordinate() throws -> Coordinate {
    let (latitude, longitude) = (try double(), try double())
    guard let coordinate = Coordinate(validLatitude: latitude, longitude: longitude) else {
      throw damaged("The coordinate \(latitude), \(longitude) is invalid")
    }
    return coordinate
  }

  mutating func duration() throws -> Duration {
    let (seconds, attoseconds) = (try int64(), try int64())
    // The initializer adds the two values, which may overflow if the bytes are damaged.
    guard seconds.magnitude < 1 << 50, attoseconds.magnitude < 1_000_000_000_000_000_000 else {
      throw damaged("The duration of \(seconds) seconds is invalid")
    }
    return Duration(secondsComponent: seconds, attosecondsComponent: attoseconds)
  }

  mutating func zone() throws -> FixedZone {
    let seconds = try int()
    guard let zone = try? FixedZone(secondsFromUTC: seconds) else {
      throw damaged("The time zone \(seconds) seconds from UTC is invalid")
    }
    return zone
  }

  mutating func optionalBlob() throws -> BlobID? {
    guard let text = try optionalString() else { return nil }
    guard let id = BlobID(hexadecimal: text) else { throw damaged("The ID of a blob is invalid") }
    return id
  }

  mutating func optionalURL() throws -> URL? {
    guard let text = try optionalString() else { return nil }
    guard let url = URL(string: text) else { throw damaged("A URL is invalid") }
    return url
  }
}
