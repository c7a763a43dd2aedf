public import FieldCore
internal import FieldFoundation
internal import FieldTransit

/// The store in which a metro keeps its timetable: any `RecordStore` of timetables, with a single record.
///
/// By default, it is the store `metro-timetable` of a `Storage`.
public typealias TimetableRepository = RecordStore<MetroTimetable>

/// A timetable is stored in its compiled form. As one record, it can only be replaced as a whole.
extension MetroTimetable: StoredRecord {
  /// The constant ID, so that a new timetable replaces the previous one.
  public var id: String { Self.onlyID }

  static let onlyID = "timetable"

  /// The name of the type in store files.
  public static var storedName: String { "MetroTimetable" }

  /// A Boolean value that indicates whether backups include the timetable, which is `false` because it is fetched again.
  public static var isBackedUp: Bool { false }

  /// Returns a Boolean value that indicates whether two timetables have the same trains and the same age.
  public static func == (left: Self, right: Self) -> Bool {
    left.timetable.bytes == right.timetable.bytes && left.report == right.report
      && left.failures == right.failures && left.fetchedAt == right.fetchedAt
      && left.network.version == right.network.version
  }

  /// The parts of a timetable besides its compiled form, stored as JSON.
  private struct Rest: Codable {
    var report: TimetableReport
    var failures: [RowFailure]
    var departureCounts: [String: Int]
  }

  /// Writes the compiled form, and then the rest.
  public func write(to writer: inout RecordWriter) throws {
    writer.write(timetable.bytes)
    try writer.encode(rest)
  }

  /// Creates a timetable by reading it, in the network of Taipei.
  ///
  /// One in a format that this version doesn't read becomes a timetable without trains, until the next refresh replaces it.
  public init(reading reader: inout RecordReader) throws {
    try self.init(try reader.byteArray(), try reader.decode(Rest.self))
  }

  /// Reads the ID and checks the rest.
  public static func id(checking reader: inout RecordReader) throws -> String? {
    _ = try reader.byteArray()
    _ = try reader.decode(Rest.self)
    return onlyID
  }

  private var rest: Rest {
    Rest(report: report, failures: failures, departureCounts: departureCounts)
  }

  private init(_ bytes: [UInt8], _ rest: Rest) throws {
    do throws(FieldError) {
      self.init(
        .taipei, try Timetable(bytes), rest.report, failures: rest.failures,
        departureCounts: rest.departureCounts)
    } catch {
      let empty = try MetroTimetable(MetroTimetableRows(.taipei), .taipei)
      self.init(
        .taipei, empty.timetable, rest.report, failures: rest.failures,
        departureCounts: rest.departureCounts, failure: error)
    }
  }

  // MARK: JSON

  private enum CodingKeys: String, CodingKey { case bytes, rest, fetchedAt }

  /// Creates a timetable by decoding it, in the network of Taipei.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    try self.init(
      [UInt8](try container.decode(Data.self, forKey: .bytes)),
      try container.decode(Rest.self, forKey: .rest))
    fetchedAt = try container.decodeIfPresent(Date.self, forKey: .fetchedAt)
  }

  /// Encodes the compiled form, the rest, and the age.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(Data(timetable.bytes), forKey: .bytes)
    try container.encode(rest, forKey: .rest)
    try container.encodeIfPresent(fetchedAt, forKey: .fetchedAt)
  }
}
