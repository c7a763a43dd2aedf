internal import FieldCore
internal import FieldFirestore
internal import FieldFoundation

/// The fields of a document as a diary's values, tolerant of text in place of numbers and the reverse.
struct FieldReader {
  /// A field that couldn't be read.
  struct Problem {
    /// The name of the field in the document.
    var field: String
    var reason: String
  }

  private let values: [String: FieldValue]
  private(set) var problems: [Problem] = []

  init(_ values: [String: FieldValue]) { self.values = values }

  private mutating func read<Value>(
    _ name: String, _ kind: String, _ read: (FieldValue) -> Value?
  ) -> Value? {
    guard let value = values[name], !value.value.isNull else { return nil }
    let result = read(value)
    if result == nil { problems.append(Problem(field: name, reason: "\(name) isn't \(kind)")) }
    return result
  }

  /// Returns a text, in which long runs of combining marks are divided: comparing two texts takes the
  /// square of the longest run, and no language needs more than a few.
  mutating func text(_ name: String) -> String? {
    read(name, "a text") { $0.value.words?.streamSafe }
  }

  mutating func number(_ name: String) -> Double? { read(name, "a number", \.number) }

  mutating func flag(_ name: String) -> Bool? { read(name, "true or false") { $0.value.boolean } }

  mutating func date(_ name: String) -> Date? { read(name, "a time", \.date) }

  mutating func duration(_ name: String) -> Duration? { read(name, "a duration", \.duration) }

  mutating func coordinate(_ name: String) -> Coordinate? {
    read(name, "a place") { field in
      let value = field.value
      let (latitude, longitude) =
        value.geoPoint.map { ($0.latitude, $0.longitude) }
        ?? (value.map?["latitude"]?.number ?? .nan, value.map?["longitude"]?.number ?? .nan)
      return Coordinate(validLatitude: latitude, longitude: longitude)
    }
  }

  mutating func day(_ name: String) -> CalendarDay? {
    read(name, "a day") { $0.value.string.flatMap { try? CalendarDay($0) } }
  }

  mutating func zone(_ name: String) -> FixedZone? {
    read(name, "an offset from UTC") { value in
      value.number.flatMap { Int(exactly: $0.rounded()) }
        .flatMap { try? FixedZone(secondsFromUTC: $0) }
    }
  }

  mutating func url(_ name: String) -> URL? {
    read(name, "an address on the web") { value in
      // A server must not decide which file on the device is read.
      value.value.string.flatMap { URL(string: $0) }
        .flatMap { ["http", "https"].contains($0.scheme?.lowercased()) ? $0 : nil }
    }
  }

  mutating func blob(_ name: String) -> BlobID? {
    read(name, "the hash of a blob") { $0.value.string.flatMap { BlobID(hexadecimal: $0) } }
  }

  /// Reads a map with a reader of its own.
  mutating func map<Value>(_ name: String, _ body: (inout FieldReader) -> Value?) -> Value? {
    guard let fields = read(name, "a map", \.value.map) else { return nil }
    var reader = FieldReader([String: FieldValue](fields))
    let result = body(&reader)
    problems += reader.problems.map { Problem(field: name, reason: "\(name).\($0.reason)") }
    if result == nil && reader.problems.isEmpty {
      problems.append(Problem(field: name, reason: "\(name) lacks a necessary field"))
    }
    return result
  }

  /// Reads the elements of a collection, in order.
  mutating func elements<Value>(
    _ collection: String, _ body: (inout FieldReader, _ key: String) -> Value?
  ) -> [Value] {
    let prefix = "\(collection)/"
    var found: [(order: Double, name: String, value: Value)] = []
    for name in values.keys.sorted() where name.hasPrefix(prefix) {
      let key = String(name.dropFirst(prefix.count))
      var order = 0.0
      let value = map(name) { reader in
        order = reader.number(ElementPlaces.orderField) ?? 0
        return body(&reader, reader.text("id") ?? key)
      }
      if let value { found.append((order, name, value)) }
    }
    return found.sorted { ($0.order, $0.name) < ($1.order, $1.name) }.map(\.value)
  }
}

extension FirestoreValue {
  /// The text; numbers as their digits.
  fileprivate var words: String? {
    switch self {
    case .string(let text): text
    case .integer(let number): String(number)
    case .double(let number): "\(number)"
    default: nil
    }
  }
}
