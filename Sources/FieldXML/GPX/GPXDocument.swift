public import FieldCore
public import FieldFoundation

/// The content of a GPX file, version 1.0 or 1.1.
///
/// ```swift
/// let document = try GPXDocument(data: Data(contentsOf: file))
/// let route = WalkRoute(tracks: document.tracks)   // WalkKit
/// if let fault = document.fault { print("not well-formed:", fault) }
/// ```
///
/// Files from all programs are accepted: with any namespace prefix or none, names in any case,
/// attributes in any order, and empty segments, segments without a track, several tracks, or only
/// waypoints. Times without an offset are UTC. Longitudes of a track that continues across the
/// antimeridian, such as -180.1, are the same places within -180 and 180. A point whose position can't be read, or that is
/// where GPX has no points, is listed in ``failures``; an elevation, time, or accuracy
/// that can't be read is `nil` and listed in ``unreadableValues``. If an element that GPX allows
/// once occurs twice, the first is used. Implausible values, such as times that go backward, are
/// kept as written; WalkKit's `WalkRoute.review(_:)` finds them.
///
/// Of the extensions of points, only the accuracy is read (`hAcc` from Apple Health, `accuracy`
/// from WalkKit). Those of tracks and segments are in `Track.extensions`, from which WalkKit's
/// `GPXDetails(track:)` reads pets and weather.
///
/// If a file is cut off, everything before the end is read. A file that isn't well-formed is
/// repaired, as ``FeedDocument`` does: an unescaped ampersand is an ampersand, and an element
/// without an end tag ends with the one around it. ``faults`` lists the problems. Entities are
/// never expanded, nothing is ever fetched, and size and depth are limited.
public struct GPXDocument: Sendable, Hashable, Codable {
  /// The version that the file states, such as `1.1`.
  public var version: String?
  /// The program that created the file.
  public var creator: String?
  /// The name of the file's content.
  public var name: String?
  /// The description of the file's content.
  public var description: String?
  /// The date on which the file was created.
  public var time: Date?
  /// The recorded tracks with their segments, including empty ones.
  public var tracks: [Track] = []
  /// The planned routes, each as a track with one segment.
  public var routes: [Track] = []
  /// The places in addition to tracks and routes.
  public var waypoints: [Waypoint] = []
  /// The points without a valid position, or where GPX has none, each by its index among all points
  /// in the file.
  public var failures: [RowFailure] = []
  /// The elevations, times, and accuracies that couldn't be read.
  ///
  /// Each has the index of its point and the name of the element as its key. The points are
  /// included without these values.
  public var unreadableValues: [RowFailure] = []
  /// The places where the file isn't well-formed, at most 100.
  public var faults: [Fault] = []
  /// The first of the ``faults`` that lost something, or else the first; `nil` if the file is
  /// well-formed.
  public var fault: Fault? { faults.worst }

  /// Creates a document by reading a file's bytes.
  ///
  /// - Parameters:
  ///   - data: The file, in UTF-8, UTF-16, UTF-32, Windows-1252, or Big5.
  ///   - limits: The limits beyond which the file is rejected.
  /// - Throws: `FieldError` with the code `rows.empty`; `rows.notData` for an HTML page, JSON, or
  ///   other text; `rows.unknownFormat` for XML that isn't GPX, and for archives; `rows.encoding`;
  ///   `xml.entities` if the file declares entities; `xml.limit`; or `rows.cut` or `rows.malformed`
  ///   if there is no point before the fault.
  public init(data: Data, limits: Limits = Limits()) throws {
    let handler = GPXHandler(limits)
    let reader = XMLReader(limits: limits.xml)
    let faults = try reader.repair([UInt8](data), as: "GPX", into: handler)
    self = handler.finish(faults)
    let hasPoints = (tracks + routes).contains { $0.pointCount > 0 } || !waypoints.isEmpty
    if let fault = self.fault, !hasPoints, failures.isEmpty {
      throw FieldError(fault.isCut ? .cut : .malformed, "The GPX file can't be read from \(fault).")
    }
  }

  /// Creates an empty document.
  public init() {}
}

extension GPXDocument {
  /// The number of points in all tracks.
  public var trackPointCount: Int { tracks.reduce(0) { $0 + $1.pointCount } }

  /// A place where a file isn't well-formed.
  public typealias Fault = XMLFault

  /// Limits beyond which a file is rejected.
  public struct Limits: Sendable, Hashable, Codable {
    /// The maximum size of a file, in bytes.
    ///
    /// Defaults to 32 MiB, which is more than a day at one fix per second with everything that
    /// Apple Health writes.
    public var byteCount: Int
    /// The maximum number of elements that are open at once.
    ///
    /// Defaults to 64.
    public var depth: Int
    /// The maximum number of points in a file.
    ///
    /// Defaults to 1,000,000.
    public var pointCount: Int

    /// Creates limits.
    public init(byteCount: Int = 32 << 20, depth: Int = 64, pointCount: Int = 1_000_000) {
      self.byteCount = byteCount
      self.depth = depth
      self.pointCount = pointCount
    }

    var xml: XMLLimits { XMLLimits(byteCount: byteCount, depth: depth, textByteCount: 1 << 20) }
  }
}

// MARK: - Waypoint

extension GPXDocument {
  /// A place in addition to the tracks.
  public struct Waypoint: Sendable, Hashable, Codable {
    /// The location, with its elevation, time, and accuracy.
    public var point: TrackPoint
    /// The name.
    public var name: String?
    /// The description.
    public var description: String?
    /// The name of the symbol on a map.
    public var symbol: String?
    /// The kind of place (`type` in the file).
    public var kind: String?
    /// A link to more information, as written.
    public var link: String?

    /// Creates a waypoint.
    public init(
      point: TrackPoint, name: String? = nil, description: String? = nil, symbol: String? = nil,
      kind: String? = nil, link: String? = nil
    ) {
      self.point = point
      self.name = name
      self.description = description
      self.symbol = symbol
      self.kind = kind
      self.link = link
    }
  }
}
