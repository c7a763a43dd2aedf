/// What a message says about a trip. Texts are ranges of the message's bytes.
struct TripUpdate: Sendable {
  /// The value of `schedule_relationship`.
  enum Kind: Sendable {
    case scheduled, added, unscheduled, canceled, replacement, duplicated

    /// Creates a kind from the number of the enumeration, of which a reader may not know all.
    init?(_ number: UInt32) {
      switch number {
      case 0: self = .scheduled
      case 1, 8: self = .added
      case 2: self = .unscheduled
      // A deleted trip isn't shown at all; for journeys, that is the same.
      case 3, 7: self = .canceled
      case 5: self = .replacement
      case 6: self = .duplicated
      default: return nil
      }
    }
  }

  /// Which trip it is, on which day.
  struct Selector: Sendable {
    var tripID: Range<Int>?, routeID: Range<Int>?
    var direction: UInt32?
    var startTime: Range<Int>?, startDate: Range<Int>?
    /// `nil` for a relationship that this version doesn't know.
    var kind: Kind? = .scheduled
  }

  /// An arrival or a departure.
  struct Event: Sendable {
    /// In seconds.
    var delay: Int32?
    /// In seconds since 1970.
    var time: Int64?
  }

  /// What a message says about a stop of a trip.
  struct Stop: Sendable {
    var sequence: UInt32?
    var stopID: Range<Int>?
    var arrival = Event(), departure = Event()
    var isSkipped = false
    var hasNoData = false
    var assignedStopID: Range<Int>?
    /// Whether one may board and alight; `nil` where the timetable decides.
    var mayBoard: Bool?, mayAlight: Bool?
  }

  var trip = Selector()
  /// The places of the stops among those of the message.
  var stops = 0..<0
  /// The delay of the whole trip, in seconds.
  var delay: Int32?
  /// The moment of the vehicle's last report, in seconds since 1970.
  var measured: Int64?
  /// For duplicates, which trip it becomes.
  var newTripID: Range<Int>?, newStartDate: Range<Int>?, newStartTime: Range<Int>?
  var headsign: Range<Int>?
  /// The value of `wheelchair_boarding` that the vehicle's stands for.
  var wheelchair: UInt32?
}
