package import FieldFoundation

/// A moment together with the text that it was read from.
package struct Timestamp: Sendable, Hashable {
  /// The original text.
  package let raw: String
  /// The moment, or `nil` if the text can't be read.
  package let instant: ParsedInstant?

  /// Creates a timestamp from a text, which is kept whether or not it can be read.
  package init(_ raw: String, in zone: FixedZone) {
    self.raw = raw
    instant = TimestampParser(zone: zone).instant(raw)
  }

  /// The moment.
  package var date: Date? { instant?.date }
}
