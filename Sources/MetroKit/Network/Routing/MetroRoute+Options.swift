internal import FieldCore

extension MetroRoute {
  /// The assumptions of a route for times that the source doesn't give.
  ///
  /// TDX publishes how long trains run and dwell, but not how long a change takes, so these are
  /// assumptions that you can replace with better ones.
  public struct Options: Hashable, Sendable, Codable {
    /// The time for changing trains at a station, in seconds.
    ///
    /// Defaults to 300: two minutes to walk to the other platform, and three to wait, which is half
    /// of the interval between two trains for most of the day (4 to 8 minutes, according to TDX's
    /// `Frequency`).
    public var transferSeconds: Int
    /// The time for changing between two stations along the street, in seconds and including the
    /// wait; `nil` excludes such changes.
    ///
    /// Defaults to 480: 新埔 and 新埔民生 are 320 m apart.
    public var walkSeconds: Int?

    /// Creates options.
    public init(transferSeconds: Int = 300, walkSeconds: Int? = 480) {
      self.transferSeconds = transferSeconds
      self.walkSeconds = walkSeconds
    }

    func check(longestStand: Int) throws(FieldError) {
      var problems: [String] = []
      // If a change took less time than the train dwells, getting off and on again would pay.
      if !(longestStand...86_400).contains(transferSeconds) {
        problems.append(
          "transferSeconds \(transferSeconds) isn't between \(longestStand) and 86400")
      }
      if let walkSeconds, !(0...86_400).contains(walkSeconds) {
        problems.append("walkSeconds \(walkSeconds) isn't between 0 and 86400")
      }
      guard problems.isEmpty else {
        throw FieldError(.invalidInput, "The route options are invalid.", problems: problems)
      }
    }
  }
}
