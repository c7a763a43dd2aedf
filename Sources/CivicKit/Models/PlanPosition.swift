/// A position on a floor plan, in pixels from the plan's upper left corner.
///
/// It isn't a geographic coordinate. The old plans were 0 to 670 pixels wide and 0 to 1,032 pixels
/// high. Their 0/0 means that nobody has entered a position, and is read as `nil`.
public struct PlanPosition: Sendable, Hashable, Codable {
  /// The distance from the left, in pixels.
  public var x: Int
  /// The distance from the top, in pixels.
  public var y: Int

  /// Creates a position.
  public init(x: Int, y: Int) {
    self.x = x
    self.y = y
  }
}
