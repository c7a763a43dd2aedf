public import FieldCore

extension MetroStation {
  /// A line's stop at a station.
  public struct Stop: Hashable, Sendable, Codable {
    /// The code on the signs, such as `BL12`.
    public var code: Code
    /// The line that stops.
    public var line: MetroLine.ID
    /// Where the stop is, as TDX places it, to six decimals of a degree.
    public var coordinate: Coordinate

    /// Makes a stop.
    public init(code: Code, line: MetroLine.ID, coordinate: Coordinate) {
      self.code = code
      self.line = line
      self.coordinate = coordinate
    }
  }
}

extension MetroStation.Stop: Identifiable {
  /// The code.
  public var id: MetroStation.Code { code }
}
