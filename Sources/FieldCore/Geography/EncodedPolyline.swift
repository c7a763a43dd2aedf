/// A line in Google's encoded polyline format, which maps and routing services accept.
///
/// ```swift
/// let line = EncodedPolyline(route.segments[0].map(\.coordinate))
/// print(line.text)                       // _p~iF~ps|U_ulLnnqC
/// let places = try EncodedPolyline(text: "_p~iF~ps|U", precision: .five).coordinates()
/// ```
///
/// Each coordinate is rounded separately, with halves away from zero, and the differences of the
/// rounded numbers are written, so that errors don't add up. The format can't represent times,
/// elevations, or gaps: encode each segment of a route as its own line. A line across the
/// antimeridian keeps the longitudes as they are.
public struct EncodedPolyline: Sendable, Hashable, Codable {
  /// The number of decimals of the coordinates, which both sides must know because the text doesn't
  /// state it.
  public enum Precision: Int, Sendable, Hashable, Codable {
    /// Five decimals, or 1.1 m, which most services use.
    case five = 5
    /// Six decimals, or 0.11 m: OSRM's `polyline6`, Valhalla.
    case six = 6

    var factor: Double { self == .five ? 1e5 : 1e6 }
  }

  /// The encoded line, in the 64 characters from `?` to `~`.
  public var text: String
  /// The number of decimals of the coordinates.
  public var precision: Precision

  /// Creates a line from encoded text, which ``coordinates()`` decodes.
  public init(text: String, precision: Precision = .five) {
    self.text = text
    self.precision = precision
  }

  /// Creates an encoded line, which is an empty text if there are no coordinates.
  public init(_ coordinates: some Sequence<Coordinate>, precision: Precision = .five) {
    var bytes: [UInt8] = []
    var last: (latitude: Int64, longitude: Int64) = (0, 0)
    for coordinate in coordinates {
      let latitude = Self.rounded(coordinate.latitude, precision)
      let longitude = Self.rounded(coordinate.longitude, precision)
      Self.append(latitude - last.latitude, to: &bytes)
      Self.append(longitude - last.longitude, to: &bytes)
      last = (latitude, longitude)
    }
    self.init(text: String(decoding: bytes, as: UTF8.self), precision: precision)
  }

  /// Decodes the line.
  ///
  /// Longitudes below -180 or above 360, of a line that continues across the antimeridian, are the
  /// same places between -180 and 180.
  ///
  /// - Throws: ``FieldError`` with the code ``FieldError/Code/cut`` if the text ends within a
  ///   coordinate, and ``FieldError/Code/malformed`` if it contains an invalid character or a
  ///   location that isn't on the earth, which usually means that the precision is wrong.
  public func coordinates() throws -> [Coordinate] {
    var coordinates: [Coordinate] = []
    var (latitude, longitude): (Int64, Int64) = (0, 0)
    var rest = text.utf8[...]
    while !rest.isEmpty {
      let offset = text.utf8.count - rest.count
      latitude &+= try Self.number(&rest, at: offset)
      longitude &+= try Self.number(&rest, at: offset)
      guard
        let coordinate = Coordinate(
          validLatitude: Double(latitude) / precision.factor,
          unwrappedLongitude: Double(longitude) / precision.factor)
      else {
        throw FieldError(
          .malformed,
          "The line has an invalid coordinate at byte \(offset). Is its precision \(precision.rawValue)?"
        )
      }
      coordinates.append(coordinate)
    }
    return coordinates
  }

  private static func rounded(_ degrees: Double, _ precision: Precision) -> Int64 {
    Int64((degrees * precision.factor).rounded(.toNearestOrAwayFromZero))
  }

  /// Appends a number in groups of five bits, the lowest first, with its sign in the lowest bit.
  private static func append(_ number: Int64, to bytes: inout [UInt8]) {
    var rest = UInt64(bitPattern: number < 0 ? ~(number << 1) : number << 1)
    while rest >= 0x20 {
      bytes.append(UInt8(0x20 | rest & 0x1F) + 63)
      rest >>= 5
    }
    bytes.append(UInt8(rest) + 63)
  }

  private static func number(_ bytes: inout Substring.UTF8View, at offset: Int) throws -> Int64 {
    var number: UInt64 = 0
    var shift: UInt64 = 0
    while let byte = bytes.popFirst() {
      // More than seven groups are more than 360 degrees at six decimals.
      guard (63...126).contains(byte), shift < 35 else {
        throw FieldError(.malformed, "The line has no number at byte \(offset).")
      }
      number |= UInt64((byte - 63) & 0x1F) << shift
      shift += 5
      if byte - 63 < 0x20 { return Int64(bitPattern: number >> 1) ^ -Int64(bitPattern: number & 1) }
    }
    throw FieldError(.cut, "The line ends within the number at byte \(offset).")
  }
}
