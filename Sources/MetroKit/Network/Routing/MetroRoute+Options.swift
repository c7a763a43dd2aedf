internal import FieldCore

extension MetroRoute {
  /// What a route assumes where the source is silent.
  ///
  /// TDX publishes how long trains run and stand, not how long a change takes, so these are assumptions
  /// that a host can replace by better ones.
  public struct Options: Hashable, Sendable, Codable {
    /// How long it takes to change trains at a station: the way to the other platform, and the wait
    /// there. Five minutes unless told otherwise: two to walk, and three to wait, which is half of what
    /// lies between two trains for most of the day (4 to 8 minutes, by TDX's `Frequency`).
    public var transferSeconds: Int
    /// How long it takes to change between two stations in the street, the wait included; nil to
    /// leave such changes out. Eight minutes unless told otherwise: 新埔 and 新埔民生 are 320 m apart.
    public var walkSeconds: Int?

    /// Makes options.
    public init(transferSeconds: Int = 300, walkSeconds: Int? = 480) {
      self.transferSeconds = transferSeconds
      self.walkSeconds = walkSeconds
    }

    func check(longestStand: Int) throws(FieldError) {
      var problems: [String] = []
      // A change in less time than the train itself stands would make getting off and on again pay.
      if !(longestStand...86_400).contains(transferSeconds) {
        problems.append(
          "transferSeconds \(transferSeconds) is not between \(longestStand) and 86400")
      }
      if let walkSeconds, !(0...86_400).contains(walkSeconds) {
        problems.append("walkSeconds \(walkSeconds) is not between 0 and 86400")
      }
      guard problems.isEmpty else {
        throw FieldError(.invalidInput, "these are no options of a route", problems: problems)
      }
    }
  }
}
