/// Writes the names of trips that only messages know.
struct NameWriter {
  private let contents: TimetableContents
  private var trips: [UInt32] = [], shapes: [UInt32] = []
  private var ids: Texts, strings: Texts
  private var hasUnknownRoute = false

  /// Texts after those of a timetable.
  private struct Texts {
    private let known: Int
    private let start: UInt32
    private(set) var bytes: [UInt8] = []
    private(set) var ends: [UInt32] = []

    init(after starts: Column<UInt32>) {
      (known, start) = (starts.count - 1, starts[starts.count - 1])
    }

    /// Returns the number of a text.
    mutating func append(_ text: ArraySlice<UInt8>) -> UInt32 {
      bytes += text
      ends.append(start + UInt32(bytes.count))
      return UInt32(known + ends.count - 1)
    }
  }

  init(_ contents: TimetableContents) {
    self.contents = contents
    ids = Texts(after: contents.tripIDStarts)
    strings = Texts(after: contents.stringStarts)
  }

  /// Returns the line of trips whose line isn't in the timetable. It has no ID, which no line of a feed lacks.
  mutating func unknownRoute() -> UInt32 {
    hasUnknownRoute = true
    return UInt32(contents.routes.count / 6)
  }

  /// Returns the number of a trip: of one of the timetable, or of one with the names of a message.
  mutating func trip(_ update: TripUpdate, _ message: RealtimeMessage, like trip: Int?) -> UInt32 {
    let isKnown = trip != nil && update.newTripID == nil && update.headsign == nil
    if isKnown, let trip { return UInt32(trip) }
    let old = trip.map { $0 * 3 }
    let headsign = update.headsign.map { strings.append(message.bytes[$0]) }
    trips += [
      headsign ?? old.map { contents.trips[$0] } ?? .max,
      old.map { contents.trips[$0 + 1] } ?? .max,
      old.map { contents.trips[$0 + 2] } ?? update.trip.direction ?? 255,
    ]
    if contents.tripShapes.count > 0 { shapes.append(trip.map { contents.tripShapes[$0] } ?? .max) }
    let id = update.newTripID ?? update.trip.tripID
    _ = ids.append(id.map { message.bytes[$0] } ?? [])
    return UInt32(contents.trips.count / 3 + trips.count / 3 - 1)
  }

  func write(to edits: inout SectionEdits) {
    edits.append(trips, to: .trips)
    edits.append(shapes, to: .tripShapes)
    edits.append(ids.bytes, to: .tripIDBytes)
    edits.append(ids.ends, to: .tripIDStarts)
    edits.append(strings.bytes, to: .stringBytes)
    edits.append(strings.ends, to: .stringStarts)
    guard hasUnknownRoute else { return }
    let none = UInt32.max
    edits.append([none, none, UInt32(bitPattern: -1), none, none, none], to: .routes)
    edits.append([contents.routeIDStarts[contents.routeIDStarts.count - 1]], to: .routeIDStarts)
  }
}
