public import FieldCore
public import FieldFoundation

/// What a GPX file holds, versions 1.0 and 1.1.
///
/// ```swift
/// let document = try GPXDocument(data: Data(contentsOf: file))
/// let route = Route(tracks: document.tracks)       // WalkKit
/// if let fault = document.fault { print("only up to", fault) }
/// ```
///
/// Files from all programs are accepted: with any namespace prefix or none, attributes in any order, and empty
/// segments, several tracks, or only waypoints. Times without an offset are UTC. A point whose position can't be
/// read is listed in ``failures``; an elevation, time, or accuracy that can't be read is `nil` and listed in
/// ``unreadableValues``. Of two elements where GPX allows one, the first counts. Implausible values, such as
/// times that go back, are kept as written; WalkKit's `Route.review(_:)` finds them.
///
/// Of the extensions of points, only the accuracy is read (`hAcc` from Apple Health, `accuracy` from WalkKit). Those
/// of tracks and segments are in `Track.extensions`, from which WalkKit's `GPXDetails(track:)` reads pets and weather.
///
/// A file that breaks off gives what stands before the end. One that isn't well-formed is repaired, as
/// ``FeedDocument`` does: an ampersand that isn't escaped is an ampersand, and an element without an end tag
/// ends with the one around it. ``faults`` lists what was wrong. Entities are never expanded, nothing is ever
/// fetched, and size and depth are limited.
public struct GPXDocument: Sendable, Hashable, Codable {
  /// The version that the file names, such as `1.1`.
  public var version: String?
  /// The program that made the file.
  public var creator: String?
  /// The name of the file's content.
  public var name: String?
  /// The description of the file's content.
  public var description: String?
  /// When the file was made.
  public var time: Date?
  /// The recorded tracks with their segments, empty ones among them.
  public var tracks: [Track]
  /// The planned routes, each a track of one segment.
  public var routes: [Track]
  /// The places beside them.
  public var waypoints: [Waypoint]
  /// The points that are no place on the earth, each by its number among all points of the file, from 0.
  public var failures: [RowFailure]
  /// The elevations, times and accuracies that could not be read, by the number of their point and with the
  /// name of the element as key; the points are there without them.
  public var unreadableValues: [RowFailure]
  /// The places where the file isn't well-formed, at most 100.
  public var faults: [Fault]
  /// The first of the ``faults`` that lost something, or else the first; `nil` if the file is well-formed.
  public var fault: Fault? { faults.worst }

  /// Reads a file.
  ///
  /// - Parameters:
  ///   - data: the file as it is, in UTF-8, UTF-16, Windows-1252 or Big5.
  ///   - limits: how much is read before the file is refused.
  /// - Throws: `FieldError` with `rows.empty`; `rows.notData` for a web page, JSON and other text;
  ///   `rows.unknownFormat` for XML that is no GPX, and for archives; `rows.encoding`; `xml.entities` when
  ///   the file declares entities; `xml.limit`; `rows.cut` and `rows.malformed` when nothing stands before
  ///   the fault.
  public init(data: Data, limits: Limits = Limits()) throws {
    let handler = GPXHandler(limits)
    let reader = XMLReader(limits: limits.xml)
    let faults = try reader.repair([UInt8](data), as: "GPX", into: handler)
    self = handler.finish(faults)
    let hasPoints = (tracks + routes).contains { $0.pointCount > 0 } || !waypoints.isEmpty
    if let fault = self.fault, !hasPoints, failures.isEmpty {
      throw FieldError(
        fault.isCut ? .cut : .malformed, "the GPX file cannot be read from \(fault)")
    }
  }

  /// Creates an empty document.
  public init() {
    tracks = []
    routes = []
    waypoints = []
    failures = []
    unreadableValues = []
    faults = []
  }
}

extension GPXDocument {
  /// How many points all tracks have together.
  public var trackPointCount: Int { tracks.reduce(0) { $0 + $1.pointCount } }

  /// A place where a file isn't well-formed.
  public typealias Fault = XMLFault

  /// How much of a file is read before it is refused.
  public struct Limits: Sendable, Hashable, Codable {
    /// The most bytes that a file may have; 32 MiB, more than a day at one fix a second with all that
    /// Apple's Health writes.
    public var byteCount: Int
    /// The most elements that may be open at once; 64.
    public var depth: Int
    /// The most points that a file may have; 1,000,000.
    public var pointCount: Int

    /// Makes limits.
    public init(byteCount: Int = 32 << 20, depth: Int = 64, pointCount: Int = 1_000_000) {
      self.byteCount = byteCount
      self.depth = depth
      self.pointCount = pointCount
    }

    var xml: XMLLimits { XMLLimits(byteCount: byteCount, depth: depth, textByteCount: 1 << 20) }
  }
}
