public import FieldFoundation

/// The result of importing the old app's records.
public struct ZooImport: Sendable, Hashable, Codable, CustomStringConvertible {
  /// A record of the old app that couldn't be imported; its file stays where it is.
  public struct Failure: Sendable, Hashable, Codable, Identifiable {
    /// The number of the record.
    public var number: Int
    /// The name, if there is one.
    public var name: String?
    /// The file of the photo, if there is one.
    public var photo: URL?
    /// The problems that prevented the import.
    public var problems: [SightingProblem]

    /// The number of the record.
    public var id: Int { number }

    /// Creates a failure.
    public init(number: Int, name: String?, photo: URL?, problems: [SightingProblem]) {
      self.number = number
      self.name = name
      self.photo = photo
      self.problems = problems
    }
  }

  /// The imported sightings in ascending order; empty if the data was already imported before.
  public var sightings: [Sighting] = []
  /// The records that couldn't be imported.
  public var failures: [Failure] = []
  /// A Boolean value that indicates whether the data was already imported, so nothing was done.
  public var wasDoneBefore = false

  /// Creates an empty report.
  public init() {}

  /// The numbers of imported sightings and failures.
  public var description: String { "\(sightings.count) sightings, \(failures.count) failures" }
}
