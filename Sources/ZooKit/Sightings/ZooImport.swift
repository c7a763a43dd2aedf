public import FieldFoundation

/// What became of the old app's records.
public struct ZooImport: Sendable, Hashable, Codable, CustomStringConvertible {
  /// A record of the old app that could not be taken over; its file is where it was.
  public struct Failure: Sendable, Hashable, Codable, Identifiable {
    /// The number of the record.
    public var number: Int
    /// The name, when there is one.
    public var name: String?
    /// The file of the photo, when there is one.
    public var photo: URL?
    /// What is wrong.
    public var problems: [SightingProblem]

    /// The number of the record.
    public var id: Int { number }

    /// Makes a failure.
    public init(number: Int, name: String?, photo: URL?, problems: [SightingProblem]) {
      self.number = number
      self.name = name
      self.photo = photo
      self.problems = problems
    }
  }

  /// What was taken over, by rising numbers; empty when the old data was taken over before.
  public var sightings: [Sighting] = []
  /// What could not be.
  public var failures: [Failure] = []
  /// Whether the old data had been taken over before, so that nothing was done.
  public var wasDoneBefore = false

  /// Makes a report of nothing.
  public init() {}

  /// The numbers of imported sightings and failures.
  public var description: String { "\(sightings.count) sightings, \(failures.count) failures" }
}
