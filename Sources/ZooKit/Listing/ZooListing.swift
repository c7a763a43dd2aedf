public import FieldCore
public import FieldFoundation

/// The list of the app: the user's own sightings, the newest first, and then the zoo's animals in the
/// order of the zoo.
///
/// It comes from what is stored, so it is there at once and without a network. ``lastRefresh`` tells
/// how old the zoo's part is.
public struct ZooListing: RandomAccessCollection, Sendable, Hashable, Codable,
  CustomStringConvertible
{
  /// The entries in order.
  public let entries: [ZooEntry]
  /// How many of them are the user's; they come first.
  public let sightingCount: Int
  /// The number that the next sighting will have: the counter of the old app, from which on the
  /// animals are numbered.
  public let nextNumber: Int
  /// When the source last confirmed the animals; nil when it never has.
  public let lastRefresh: Date?
  /// What opening the stores cut off, until a refresh or `open()` has reported it.
  public let damage: [OpeningReport.Cut]

  /// Makes a list, for previews and tests; a zoo makes its own.
  ///
  /// - Parameters:
  ///   - sightings: The entries of sightings in any order; they are put in the list's.
  ///   - animals: The animals in the order of the source, with where their pictures are.
  ///   - nextNumber: The number of the next sighting.
  ///   - lastRefresh: When the source last confirmed the animals.
  ///   - damage: What opening the stores cut off.
  public init(
    sightings: [ZooEntry], animals: [(animal: Animal, picture: ZooPicture?)], nextNumber: Int,
    lastRefresh: Date?, damage: [OpeningReport.Cut] = []
  ) {
    let first = sightings.sorted { $0.sequence > $1.sequence }
    let rest = animals.enumerated().map { index, row in
      ZooEntry(
        sequence: nextNumber + index, content: .animal(row.animal), picture: row.picture)
    }
    entries = first + rest
    sightingCount = first.count
    self.nextNumber = nextNumber
    self.lastRefresh = lastRefresh
    self.damage = damage
  }

  /// The position of the first entry.
  public var startIndex: Int { entries.startIndex }
  /// The position after the last entry.
  public var endIndex: Int { entries.endIndex }
  /// The entry at a position.
  public subscript(position: Int) -> ZooEntry { entries[position] }

  /// The user's part of the list.
  public var sightings: ArraySlice<ZooEntry> { entries.prefix(sightingCount) }
  /// The zoo's part of the list.
  public var animals: ArraySlice<ZooEntry> { entries.dropFirst(sightingCount) }
  /// The entries of which something is lost or damaged.
  public var problems: [ZooEntry] { sightings.filter { $0.problem != nil } }

  /// How old the zoo's part is: zero when the last refresh lies in the future, as it does after a clock
  /// was set back, and nil when there was none.
  public func age(at now: Date) -> Duration? {
    lastRefresh.map { .seconds(Swift.max(now.timeIntervalSince($0), 0)) }
  }

  /// The numbers of sightings and animals.
  public var description: String { "\(sightingCount) sightings, \(animals.count) animals" }
}
