internal import FieldCore
internal import FieldFirestore
internal import FieldFoundation

/// A field's value in a form that every client reads, and what that form can't carry.
///
/// Firestore keeps times in microseconds, and a duration is a number of seconds. Where such a value doesn't say
/// everything, the exact one is in the map `exact` beside the fields, under the name of its field. It counts only
/// as long as the field has the value that belongs to it, so another client that changes the field needs to know
/// nothing about it.
struct FieldValue: Hashable, Sendable {
  var value: FirestoreValue
  /// The exact value; `nil` if the field says everything.
  var exact: FirestoreValue?

  /// The field with the exact values.
  static let exactField = "exact"

  init(_ value: FirestoreValue, exact: FirestoreValue? = nil) {
    (self.value, self.exact) = (value, exact)
  }

  static func text(_ text: String) -> Self { Self(.string(text)) }

  static func text(_ text: String?) -> Self? { text.map { .text($0) } }

  static func number(_ number: Double?) -> Self? { number.map { Self(.double($0)) } }

  static func flag(_ flag: Bool) -> Self { Self(.boolean(flag)) }

  static func time(_ date: Date?) -> Self? { date.map { .time($0) } }

  static func time(_ date: Date) -> Self {
    let readable = FirestoreTimestamp(date)
    let seconds = date.timeIntervalSinceReferenceDate
    let isWhole = readable.date.timeIntervalSinceReferenceDate.bitPattern == seconds.bitPattern
    return Self(.timestamp(readable), exact: isWhole ? nil : .double(seconds))
  }

  static func seconds(_ duration: Duration) -> Self {
    let seconds = duration / .seconds(1)
    return Self(
      .double(seconds),
      exact: Duration(wholeMicrosecondsOf: seconds) == duration
        ? nil : .string("\(duration.attoseconds)"))
  }

  static func place(_ coordinate: Coordinate?) -> Self? {
    guard let coordinate else { return nil }
    let (latitude, longitude) = (coordinate.latitude, coordinate.longitude)
    // East of the antimeridian a coordinate may be counted on, which a point of Firestore can't be.
    return longitude <= 180
      ? Self(.geoPoint(.init(latitude: latitude, longitude: longitude)))
      : Self(["latitude": .double(latitude), "longitude": .double(longitude)])
  }

  static func map(_ values: [String: FieldValue?]) -> Self {
    let values = values.compactMapValues(\.self)
    var fields = FirestoreFields(values.map { .init($0, $1.value) })
    let exact = values.compactMapValues(\.exact)
    if !exact.isEmpty { fields[exactField] = .map(.init(exact.map { .init($0, $1) })) }
    return Self(.map(fields))
  }

  var date: Date? {
    let readable = value.timestamp ?? value.string.flatMap { FirestoreTimestamp(rfc3339: $0) }
    // A time beyond the year 9999 is readable as the last second of that year, however far away it is.
    guard let seconds = exact?.number, seconds.magnitude <= Duration.longest / .seconds(1) else {
      return readable?.date
    }
    let date = Date(timeIntervalSinceReferenceDate: seconds)
    return FirestoreTimestamp(date) == readable ? date : readable?.date
  }

  /// A number, or the number that a text contains.
  var number: Double? {
    let number = value.number ?? value.string.flatMap { Double($0) }
    return number?.isFinite == true ? number : nil
  }

  var duration: Duration? {
    guard let number else { return nil }
    if let duration = exact?.string.flatMap({ Int128($0) }).map(Duration.init(attoseconds:)),
      duration / .seconds(1) == number
    {
      return duration
    }
    return Duration(wholeMicrosecondsOf: number)
  }
}

extension [String: FieldValue] {
  /// Reads the fields of a map, each with its exact value.
  init(_ fields: FirestoreFields) {
    let exact = fields[FieldValue.exactField]?.map
    self.init(
      fields.lazy.filter { $0.name != FieldValue.exactField }
        .map { ($0.name, FieldValue($0.value, exact: exact?[$0.name])) },
      uniquingKeysWith: { $1 })
  }
}

extension Duration {
  /// Creates a duration from seconds; `nil` if there are more than 30,000 years of them.
  ///
  /// A double has no more digits, and twice the same duration is to be equal.
  fileprivate init?(wholeMicrosecondsOf seconds: Double) {
    guard seconds.magnitude <= Duration.longest / .seconds(1) else { return nil }
    self = .microseconds(Int64((seconds * 1e6).rounded()))
  }
}
