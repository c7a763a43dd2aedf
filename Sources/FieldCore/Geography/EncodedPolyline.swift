/// A line as text in Google's encoded polyline format, which maps and routing services take.
///
/// ```swift
/// let line = EncodedPolyline(route.segments[0].map(\.coordinate))
/// print(line.text)                       // _p~iF~ps|U_ulLnnqC
/// let places = try EncodedPolyline(text: "_p~iF~ps|U", precision: .five).coordinates()
/// ```
///
/// Each coordinate is rounded by itself, halves away from zero, and the differences of the rounded
/// numbers are written, so that errors do not add up. The format has no place for times and elevations,
/// and none for a gap: a route is one line a segment. A line across the antimeridian is written with the
/// longitudes as they are.
public struct EncodedPolyline: Sendable, Hashable, Codable {
  /// How fine the coordinates are rounded; both sides have to know it, since the text does not tell.
  public enum Precision: Int, Sendable, Hashable, Codable {
    /// Five decimals, 1.1 m: what most services use.
    case five = 5
    /// Six decimals, 0.11 m: OSRM's `polyline6`, Valhalla.
    case six = 6

    var factor: Double { self == .five ? 1e5 : 1e6 }
  }

  /// The line, in the 64 characters from `?` to `~`.
  public var text: String
  /// How fine the coordinates are rounded.
  public var precision: Precision

  /// Takes a line that is encoded already; ``coordinates()`` reads it.
  public init(text: String, precision: Precision = .five) {
    self.text = text
    self.precision = precision
  }

  /// Encodes a line; no coordinates are the empty text.
  public init(_ coordinates: some Sequence<Coordinate>, precision: Precision = .five) {
    var bytes: [UInt8] = []
    var last = (latitude: 0, longitude: 0)
    for coordinate in coordinates {
      let latitude = Self.rounded(coordinate.latitude, precision)
      let longitude = Self.rounded(coordinate.longitude, precision)
      Self.append(latitude - last.latitude, to: &bytes)
      Self.append(longitude - last.longitude, to: &bytes)
      last = (latitude, longitude)
    }
    self.init(text: String(decoding: bytes, as: UTF8.self), precision: precision)
  }

  /// Reads the line.
  ///
  /// - Throws: ``FieldError`` with the code ``FieldError/Code/cut`` when the text ends within a
  ///   coordinate, and ``FieldError/Code/malformed`` when it has another character or a place that is
  ///   not on the earth, as a line read with the wrong precision mostly has.
  public func coordinates() throws -> [Coordinate] {
    var coordinates: [Coordinate] = []
    var (latitude, longitude) = (0, 0)
    var rest = text.utf8[...]
    while !rest.isEmpty {
      let offset = text.utf8.count - rest.count
      latitude &+= try Self.number(&rest, at: offset)
      longitude &+= try Self.number(&rest, at: offset)
      guard
        let coordinate = Coordinate(
          validLatitude: Double(latitude) / precision.factor,
          longitude: Double(longitude) / precision.factor)
      else {
        throw FieldError(
          .malformed,
          "the line leaves the earth at byte \(offset); is its precision \(precision.rawValue)?")
      }
      coordinates.append(coordinate)
    }
    return coordinates
  }

  private static func rounded(_ degrees: Double, _ precision: Precision) -> Int {
    Int((degrees * precision.factor).rounded(.toNearestOrAwayFromZero))
  }

  /// Writes a number in groups of five bits, the lowest first, its sign in the lowest bit.
  private static func append(_ number: Int, to bytes: inout [UInt8]) {
    var rest = UInt(bitPattern: number < 0 ? ~(number << 1) : number << 1)
    while rest >= 0x20 {
      bytes.append(UInt8(0x20 | rest & 0x1F) + 63)
      rest >>= 5
    }
    bytes.append(UInt8(rest) + 63)
  }

  private static func number(_ bytes: inout Substring.UTF8View, at offset: Int) throws -> Int {
    var number: UInt = 0
    var shift: UInt = 0
    while let byte = bytes.popFirst() {
      // More than seven groups are more than a turn of the earth at six decimals.
      guard (63...126).contains(byte), shift < 35 else {
        throw FieldError(.malformed, "the line has no number at byte \(offset)")
      }
      number |= UInt((byte - 63) & 0x1F) << shift
      shift += 5
      if byte - 63 < 0x20 { return Int(bitPattern: number >> 1) ^ -Int(bitPattern: number & 1) }
    }
    throw FieldError(.cut, "the line ends within the number at byte \(offset)")
  }
}
