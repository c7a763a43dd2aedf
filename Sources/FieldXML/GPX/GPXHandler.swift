internal import FieldCore
internal import FieldFoundation

/// A handler that builds a ``GPXDocument`` from the elements of a file.
///
/// Elements are identified by their local names and their parents, so unknown ones, with everything
/// inside, do no harm.
final class GPXHandler: XMLHandler {
  private let limits: GPXDocument.Limits
  private let times = TimestampParser(zone: .utc)
  private var document = GPXDocument()
  /// The names of the open elements.
  private var path: [String] = []
  private var content = ""
  /// The number of open elements inside a text.
  private var markupDepth = 0
  private var hasRoot = false
  private var line: OpenLine?
  private var point: OpenPoint?
  private var pointCount = 0
  /// The namespace of the extension element being read; `nil` for one that contains others.
  private var extensionNamespace: String?
  private var extensionCount = 0

  /// A track or route that is being read.
  private struct OpenLine {
    var track = Track(segments: [])
    let isRoute: Bool
    let depth: Int
    /// Whether the last segment is still open.
    var isInSegment = false
  }

  /// A point that is being read, which is `nil` if its position isn't valid.
  private struct OpenPoint {
    var waypoint: GPXDocument.Waypoint?
    let element: String
    let index: Int
    let depth: Int
  }

  init(_ limits: GPXDocument.Limits) { self.limits = limits }

  /// The maximum number of extensions of tracks and segments, so that a hostile file uses little
  /// memory.
  private static let greatestExtensionCount = 10_000

  // MARK: XMLHandler

  func start(_ tag: XMLTag) throws {
    let name = known(tag.name)
    defer { path.append(name) }
    if markupDepth > 0 || Self.texts.contains(path.last ?? "") {
      // The text of an element includes that of the elements inside.
      markupDepth += 1
      return
    }
    content = ""
    if path.isEmpty {
      if hasRoot { return }
      hasRoot = true
      guard name == "gpx" else {
        throw FieldError(
          .unknownFormat,
          "The XML isn't GPX. It begins with <\(Substring(tag.name.unicodeScalars.prefix(40)))>.")
      }
      document.version = tag["version"]
      document.creator = tag["creator"]
    } else if point == nil {
      try open(tag, name)
      extensionNamespace = path.last == "extensions" ? tag.namespace : nil
    } else if name == "link", path.count == point?.depth, point?.waypoint?.link == nil {
      point?.waypoint?.link = tag["href"]
    }
  }

  func text(_ text: String) { content += text }

  func end(_ written: String) {
    let name = path.removeLast()
    if markupDepth > 0 {
      markupDepth -= 1
      return
    }
    let text = content.streamSafe
    content = ""
    if let point {
      path.count < point.depth ? closePoint() : read(name, text, of: point)
    } else if path.last == "extensions", let namespace = extensionNamespace {
      readExtension(name, text, in: namespace)
    } else if let line {
      read(name, text, in: line)
    } else if path.count == 1 || path.count == 2 && path[1] == "metadata" {
      // GPX 1.0 has these in the root, and 1.1 in a separate element.
      switch name {
      case "name": document.name = document.name ?? Self.trimmed(text)
      case "desc": document.description = document.description ?? Self.trimmed(text)
      case "time": document.time = document.time ?? times.instant(text)?.date
      default: break
      }
    }
  }

  func elementsEnded(by tag: XMLTag) -> Int {
    let name = known(tag.name)
    let isValue = Self.texts.contains(name) || Self.values.contains(name)
    guard isValue || Self.lines.contains(name), !path.contains("extensions") else { return 0 }
    let isInValue = path.last.map { Self.texts.contains($0) || Self.values.contains($0) } ?? false
    let sibling = isInValue ? path.count - 1 : path.count
    let outer = isValue ? nil : path.lastIndex(of: name)
    return path.count - min(sibling, outer ?? sibling)
  }

  // MARK: Elements

  /// The elements that contain text.
  private static let texts: Set<String> = ["name", "desc", "cmt", "sym", "type"]
  /// The elements that contain a number or a date.
  private static let values: Set<String> = ["ele", "time"]
  /// The elements that contain others, but never themselves.
  private static let lines: Set<String> = ["trk", "trkseg", "trkpt", "rte", "rtept", "wpt"]
  private static let points: Set<String> = ["trkpt", "rtept", "wpt"]
  /// The other elements whose names are used.
  private static let others: Set<String> = ["gpx", "metadata", "extensions", "link", "url"]

  /// Returns GPX's spelling of a name, for programs that write capitals.
  private func known(_ name: String) -> String {
    guard name.utf8.contains(where: { $0 < 0x60 }), !path.contains("extensions") else {
      return name
    }
    let small = name.lowercased()
    let sets = [Self.texts, Self.values, Self.lines, Self.others]
    return sets.contains { $0.contains(small) } ? small : name
  }

  private func open(_ tag: XMLTag, _ name: String) throws {
    switch name {
    case "trk" where line == nil && path.count == 1:
      line = OpenLine(isRoute: false, depth: path.count)
    case "trkseg" where line == nil && path.count == 1, "rte" where line == nil && path.count == 1:
      line = OpenLine(isRoute: name == "rte", depth: path.count)
      openSegment()
    case "trkseg" where line?.isRoute == false && path.count == 2:
      line?.isInSegment = false
      openSegment()
    case "trkpt" where line?.isRoute == false && isInLine,
      "rtept" where line?.isRoute == true && isInLine,
      "wpt" where line == nil && path.count == 1:
      point = try OpenPoint(
        waypoint: place(of: tag, name), element: name, index: count(), depth: path.count + 1)
      openSegment()
    case _ where Self.points.contains(name) && !path.contains("extensions"):
      let reason = "GPX has no <\(name)> in the element around it"
      document.failures.append(RowFailure(at: try count(), key: name, reason: reason))
    default: break
    }
  }

  /// Whether the next element is in the track or route itself or in a segment of it, and not among
  /// its extensions.
  private var isInLine: Bool { path.count == 2 || path.count == 3 && path[2] == "trkseg" }

  /// Counts a point, and returns its index.
  private func count() throws -> Int {
    guard pointCount < limits.pointCount else {
      throw FieldError(
        .xmlLimit, "The GPX file has more than the allowed \(limits.pointCount) points.")
    }
    defer { pointCount += 1 }
    return pointCount
  }

  /// Opens a segment unless one is open: some programs write points into a track without one.
  private func openSegment() {
    if line != nil, line?.isInSegment == false {
      line?.track.segments.append([])
      line?.isInSegment = true
    }
  }

  private func place(of tag: XMLTag, _ name: String) -> GPXDocument.Waypoint? {
    let (latitude, longitude) = (tag["lat"], tag["lon"])
    var problems = "its latitude and longitude aren't numbers"
    if let north = latitude.flatMap(Self.number), let east = longitude.flatMap(Self.number) {
      if let coordinate = Coordinate(validLatitude: north, unwrappedLongitude: east) {
        return GPXDocument.Waypoint(point: TrackPoint(coordinate: coordinate))
      }
      problems = Coordinate.problems(latitude: north, longitude: east).joined(separator: "; ")
    }
    let excerpt = #"<\#(tag.name) lat="\#(latitude ?? "")" lon="\#(longitude ?? "")">"#
    document.failures.append(
      RowFailure(at: pointCount, key: name, quoting: excerpt, reason: problems))
    return nil
  }

  private func read(_ name: String, _ text: String, of open: OpenPoint) {
    // Accuracies are in extensions, at any depth; everything else is in the point itself.
    if name == "hAcc" || name == "accuracy", path.count > open.depth {
      let radius = value(text, name, open, Self.number)
      // Apple writes a negative accuracy if it has none.
      point?.waypoint?.point.accuracy = radius.flatMap { $0 >= 0 ? .meters($0) : nil }
      return
    }
    guard path.count == open.depth, let known = open.waypoint else { return }
    switch name {
    case "ele" where known.point.elevation == nil:
      point?.waypoint?.point.elevation = value(text, name, open, Self.number)
    case "time" where known.point.time == nil:
      point?.waypoint?.point.time = value(text, name, open) { times.instant($0)?.date }
    case "name": point?.waypoint?.name = known.name ?? Self.trimmed(text)
    case "desc": point?.waypoint?.description = known.description ?? Self.trimmed(text)
    case "sym": point?.waypoint?.symbol = known.symbol ?? Self.trimmed(text)
    case "type": point?.waypoint?.kind = known.kind ?? Self.trimmed(text)
    case "url": point?.waypoint?.link = known.link ?? Self.trimmed(text)  // GPX 1.0
    default: break
    }
  }

  /// Returns the value of a text, and notes one that isn't empty but can't be read.
  private func value<Value>(
    _ text: String, _ name: String, _ open: OpenPoint, _ read: (String) -> Value?
  ) -> Value? {
    guard let trimmed = Self.trimmed(text) else { return nil }
    if let value = read(trimmed) { return value }
    document.unreadableValues.append(
      RowFailure(at: open.index, key: name, quoting: trimmed, reason: "this \(name) can't be read"))
    return nil
  }

  private func closePoint() {
    defer { point = nil }
    guard let waypoint = point?.waypoint else { return }
    if point?.element == "wpt" {
      document.waypoints.append(waypoint)
    } else if let last = line?.track.segments.indices.last {
      line?.track.segments[last].append(waypoint.point)
    }
  }

  private func read(_ name: String, _ text: String, in open: OpenLine) {
    if path.count == open.depth {
      closeLine()
    } else if path.count == open.depth + 1 {
      if name == "name" { line?.track.name = open.track.name ?? Self.trimmed(text) }
      if name == "trkseg" { line?.isInSegment = false }
    }
  }

  private func readExtension(_ name: String, _ text: String, in namespace: String) {
    guard extensionCount < Self.greatestExtensionCount, let depth = line?.depth,
      let segments = line?.track.segments.count, let text = Self.trimmed(text)
    else { return }
    let isOfSegment = path.count == depth + 3 && path[depth + 1] == "trkseg"
    guard isOfSegment || path.count == depth + 2 else { return }
    extensionCount += 1
    line?.track.extensions.append(
      Track.Extension(
        name, namespace: namespace, text: text, segment: isOfSegment ? segments - 1 : nil))
  }

  private func closeLine() {
    guard let line else { return }
    if line.isRoute {
      document.routes.append(line.track)
    } else {
      document.tracks.append(line.track)
    }
    self.line = nil
  }

  /// Returns what has been read when the file ends, whether or not it is well-formed. A point that
  /// didn't end is omitted, because the rest of it isn't known; its track is kept.
  func finish(_ faults: [XMLFault]) -> GPXDocument {
    closeLine()
    document.faults = faults
    return document
  }

  // MARK: Values

  private static func number(_ text: String) -> Double? { JSONValue.string(text).double }

  private static func trimmed(_ text: String) -> String? {
    let rest = text.drop { $0.isWhitespace }
    guard let end = rest.lastIndex(where: { !$0.isWhitespace }) else { return nil }
    return String(rest[...end])
  }
}
