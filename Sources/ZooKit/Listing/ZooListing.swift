public import FieldCore
public import FieldFoundation

/// The app's list: the user's sightings, newest first, then the animals in the zoo's order.
///
/// The list is built from stored data, so it is available immediately and offline. Check
/// ``lastRefresh`` to see how old the zoo's part is.
public struct ZooListing: RandomAccessCollection, Sendable, Hashable, Codable,
  CustomStringConvertible
{
  /// The entries, in order.
  public let entries: [ZooEntry]
  /// The number of sightings, which come first.
  public let sightingCount: Int
  /// The number of the next sighting, at which the animals' numbers begin: the old app's counter.
  public let nextNumber: Int
  /// The date when the source last confirmed the animals; `nil` if it never has.
  public let lastRefresh: Date?
  /// The damaged parts that opening cut off, until a refresh or `open()` has reported them.
  public let damage: [OpeningReport.Cut]

  /// Creates a list for previews and tests; a zoo creates its own.
  ///
  /// - Parameters:
  ///   - sightings: The entries of sightings in any order; the initializer sorts them.
  ///   - animals: The animals in source order, with the locations of their pictures.
  ///   - nextNumber: The number of the next sighting.
  ///   - lastRefresh: The date when the source last confirmed the animals.
  ///   - damage: The damaged parts that opening the stores cut off.
  public init(
    sightings: [ZooEntry], animals: [(animal: Animal, picture: ZooPicture?)], nextNumber: Int,
    lastRefresh: Date?, damage: [OpeningReport.Cut] = []
  ) {
    self.init(
      sightings: sightings,
      animalEntries: animals.map {
        ZooEntry(sequence: 0, content: .animal($0.animal), picture: $0.picture)
      }, nextNumber: nextNumber, lastRefresh: lastRefresh, damage: damage)
  }

  /// Creates a list of entries, of which the animals get the numbers from that of the next sighting on.
  init(
    sightings: [ZooEntry], animalEntries: [ZooEntry], nextNumber: Int, lastRefresh: Date?,
    damage: [OpeningReport.Cut]
  ) {
    let first = sightings.sorted { $0.sequence > $1.sequence }
    let rest = animalEntries.enumerated().map { index, entry in
      ZooEntry(sequence: nextNumber + index, content: entry.content, picture: entry.picture)
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
  /// The entry at the given position.
  public subscript(position: Int) -> ZooEntry { entries[position] }

  /// The user's part of the list.
  public var sightings: ArraySlice<ZooEntry> { entries.prefix(sightingCount) }
  /// The zoo's part of the list.
  public var animals: ArraySlice<ZooEntry> { entries.dropFirst(sightingCount) }
  /// The entries that are lost or damaged.
  public var problems: [ZooEntry] { sightings.filter { $0.problem != nil } }

  /// Returns the entries whose names contain the given text, in the order of the list.
  ///
  /// The search ignores case, diacritics, width, and variants such as 臺 and 台. An animal's names
  /// are its Chinese, English, and scientific ones and the alternative ones, the only place where
  /// 熊貓 appears.
  ///
  /// ```swift
  /// for entry in try await zoo.listing().search("熊貓") { print(entry.sequence, entry.name) }
  /// ```
  ///
  /// - Parameter text: The text to search for. An empty text matches nothing.
  public func search(_ text: String) -> [ZooEntry] {
    let folded = TextFolding.fold(text)
    guard !folded.isEmpty else { return [] }
    return entries.filter {
      TextFolding.contains(folded, in: $0.animal?.searchText ?? $0.name)
    }
  }

  /// Returns the age of the zoo's part, or `nil` if it has never been refreshed.
  ///
  /// The age is zero if the last refresh is in the future, as after the clock was set back.
  public func age(at now: Date) -> Duration? {
    lastRefresh.map { Duration(limiting: Swift.max(now.timeIntervalSince($0), 0)) }
  }

  /// A description with the numbers of sightings and animals.
  public var description: String { "\(sightingCount) sightings, \(animals.count) animals" }
}

/// A sequence that yields the current list first, then the newest after each change.
///
/// Slow consumers skip intermediate states, but never the newest one. The sequence ends when its
/// task is canceled or the zoo is closed, at any moment. It throws `FieldError` if a store can't be
/// opened.
public typealias ZooListingUpdates = FieldSequence<ZooListing, any Error>
