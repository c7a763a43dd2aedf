public import FieldCore

extension MetroStation {
  /// A line's stop at a station.
  public struct Stop: Hashable, Sendable, Codable, Identifiable {
    /// The code on the signs, such as `BL12`.
    public var code: Code
    /// The line that serves the stop.
    public var line: MetroLine.ID
    /// The location of the stop according to TDX, to six decimal places of a degree.
    public var coordinate: Coordinate

    /// Creates a stop.
    public init(code: Code, line: MetroLine.ID, coordinate: Coordinate) {
      self.code = code
      self.line = line
      self.coordinate = coordinate
    }

    /// The code.
    public var id: MetroStation.Code { code }
  }
}
