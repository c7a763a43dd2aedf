public import FieldCore
public import FieldFoundation

/// An animal that the user has seen, with a name, a photo, a date, and a place.
///
/// ```swift
/// let sighting = try await zoo.addSighting(name: "石虎", photo: jpeg)
/// print(sighting.number, sighting.name)
/// ```
///
/// A sighting, its photo, and its number are stored atomically.
public struct Sighting: Sendable, Hashable, Codable, Identifiable, CustomStringConvertible {
  /// The permanent ID of the sighting.
  public let id: ID
  /// The number of the sighting, from 0, as shown by the old app.
  ///
  /// A number is never reused, not even after its sighting has been removed.
  public let number: Int
  /// The name that the user entered, trimmed; empty if ``problem`` says that the record is damaged.
  public var name: String
  /// The photo, or `nil` if ``problem`` says that the record is damaged.
  public var photo: Photo?
  /// The date at which the animal was seen.
  public var date: Date
  /// The place where the animal was seen, if it is known.
  public var place: Coordinate?
  /// The problem with the stored sighting, or `nil` if there is none.
  ///
  /// A sighting that was just added or edited has no problem.
  public internal(set) var problem: SightingProblem?
  /// The stored content that can't be read, perhaps because a later version wrote it. It is written
  /// back unchanged.
  var unreadContent: [UInt8] = []

  private enum CodingKeys: String, CodingKey {
    case id, number, name, photo, date, place, problem
  }

  /// Creates a sighting, for previews and tests; a zoo creates its own.
  public init(
    id: ID, number: Int, name: String, photo: Photo?, date: Date, place: Coordinate? = nil
  ) {
    self.id = id
    self.number = number
    self.name = name
    self.photo = photo
    self.date = date
    self.place = place
  }

  /// The ID of a sighting.
  public typealias ID = RecordID<Sighting>

  /// The photo of a sighting, whose bytes are stored separately.
  public struct Photo: Sendable, Hashable, Codable {
    /// The ID of the photo's content; equal bytes have equal IDs.
    public let blob: BlobID
    /// The format, detected from the bytes.
    public let format: AssetFormat
    /// The size of the photo, in bytes.
    public let byteCount: Int

    /// Creates a description of a photo.
    public init(blob: BlobID, format: AssetFormat, byteCount: Int) {
      self.blob = blob
      self.format = format
      self.byteCount = byteCount
    }
  }

  /// The number and the name, such as `#3 石虎`.
  public var description: String { "#\(number) \(name)".printable }
}

// MARK: - Storage

extension Sighting: StoredRecord {
  /// The name of the type in store files.
  public static var storedName: String { "Sighting" }

  /// The content that may change with a later version, apart from the identity.
  private struct Content: Codable {
    var name: String
    var photo: Photo?
    var date: Date
    var place: Coordinate?
  }

  /// Writes the ID and the number, followed by the rest as JSON.
  public func write(to writer: inout RecordWriter) throws {
    writer.write(id.rawValue)
    writer.write(number)
    guard unreadContent.isEmpty else {
      for byte in unreadContent { writer.write(byte: byte) }
      return
    }
    try writer.encode(Content(name: name, photo: photo, date: date, place: place))
  }

  /// Creates a sighting from its stored form.
  ///
  /// If the content can't be read, the sighting has a problem instead. An error would make the
  /// whole store unreadable.
  public init(reading reader: inout RecordReader) throws {
    let id = ID(rawValue: try reader.string())
    let number = try reader.int()
    var rest = reader
    do {
      let content = try reader.decode(Content.self)
      self.init(
        id: id, number: number, name: content.name, photo: content.photo, date: content.date,
        place: content.place)
    } catch {
      self.init(id: id, number: number, name: "", photo: nil, date: Date(timeIntervalSince1970: 0))
      problem = .recordDamaged
      while rest.remainingCount > 0 { unreadContent.append(try rest.byte()) }
    }
  }
}

/// The damage found while reading photos, which stores don't report to others.
final class PhotoIntegrity: Sendable {
  /// The photos that were found damaged when they were read.
  private let damaged = Lock<Set<BlobID>>([])
  private let signals = Broadcast<Void>()

  init() { signals.send() }

  /// Returns whether a photo was damaged when it was last read.
  func isDamaged(_ blob: BlobID) -> Bool { damaged.withLock { $0.contains(blob) } }

  /// Records whether a photo is damaged, and notifies the watchers of a change.
  func note(_ blob: BlobID, isDamaged: Bool) {
    let isNew = damaged.withLock { damaged in
      isDamaged ? damaged.insert(blob).inserted : damaged.remove(blob) != nil
    }
    if isNew { signals.send() }
  }

  /// Returns a stream with one signal immediately and one after each change.
  func changes() -> AsyncStream<Void> { signals.listen()?.stream ?? AsyncStream { $0.finish() } }
}
