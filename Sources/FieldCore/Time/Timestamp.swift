package import FieldFoundation

/// A moment together with the text that it was read from.
package struct Timestamp: Sendable, Hashable {
  /// The text as it came.
  package let raw: String
  /// The moment, or nil when the text is none that can be read.
  package let instant: ParsedInstant?

  /// Reads a text; what stands in it is kept, readable or not.
  package init(_ raw: String, in zone: FixedZone) {
    self.raw = raw
    instant = TimestampParser(zone: zone).instant(raw)
  }

  /// The moment.
  package var date: Date? { instant?.date }
}
