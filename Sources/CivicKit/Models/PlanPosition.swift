/// A place on a floor plan, in the plan's pixels from its upper left corner: no coordinate on the earth.
///
/// The old plans were 0 to 670 wide and 0 to 1,032 high; their 0/0 says that nobody has entered a place,
/// and is read as nil.
public struct PlanPosition: Sendable, Hashable, Codable {
  /// The pixels from the left.
  public var x: Int
  /// The pixels from above.
  public var y: Int

  /// Makes a place.
  public init(x: Int, y: Int) {
    self.x = x
    self.y = y
  }
}
