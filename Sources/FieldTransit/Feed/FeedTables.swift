internal import FieldCore

/// The content of a feed, with numbers in place of IDs.
struct FeedTables {
  /// A number that stands for nothing.
  static let none = UInt32.max

  struct Stop {
    var name: UInt32, code: UInt32, platform: UInt32
    /// In units of 1e-7 degrees; `Int32.min` if unknown.
    var latitude = Int32.min, longitude = Int32.min
    /// The value of `location_type`.
    var kind: UInt8 = 0
    /// The value of `wheelchair_boarding`.
    var wheelchair: UInt8 = 0
    var parent = FeedTables.none
  }

  struct Route {
    var shortName: UInt32, longName: UInt32, agency: UInt32
    var type: Int32
    /// The colors of the background and of the text, in 24 bits, or `none`.
    var color: UInt32, textColor: UInt32
  }

  struct Trip {
    var route: UInt32, service: UInt32, headsign: UInt32, shortName: UInt32, block: UInt32
    var direction: UInt8, wheelchair: UInt8, bikes: UInt8
    var shape: UInt32
    var isUsable = true
  }

  struct Service: Hashable {
    /// A bit for each day of the week, the lowest for Monday.
    var weekdays: UInt8 = 0
    var start = Int32.max, end = Int32.min
    /// The days added and removed, by day; those that repeat the rule don't matter.
    var exceptions: [Exception] = []

    struct Exception: Hashable {
      var day: Int32
      var isAdded: Bool
    }
  }

  /// A row of `stop_times.txt`.
  struct StopTime {
    var trip: UInt32, stop: UInt32
    var sequence: Int32
    /// In seconds; -1 if unknown.
    var arrival: Int32, departure: Int32
    /// 1 if passengers may board, and 2 if they may alight.
    var flags: UInt8
  }

  struct Frequency {
    var trip: UInt32
    var start: Int32, end: Int32, headway: Int32
    var isExact: Bool
  }

  /// A rule for changing between stops, for all trips or for those of certain routes or trips.
  struct Transfer {
    /// Where passengers alight or board, and of which trips; `none` stands for all.
    struct End {
      var stop: UInt32
      var route = FeedTables.none, trip = FeedTables.none
      var isSpecific: Bool { route != FeedTables.none || trip != FeedTables.none }
    }

    var from: End, to: End
    var type: Int32
    /// In seconds; -1 if unknown.
    var time: Int32

    var isSpecific: Bool { from.isSpecific || to.isSpecific }
  }

  /// Two trips of one vehicle, and whether passengers may stay in it.
  struct Link: Hashable {
    var from: UInt32, to: UInt32
    var isSeat: Bool
  }

  var strings = IDTable()
  var stopIDs = IDTable(), routeIDs = IDTable(), tripIDs = IDTable(), serviceIDs = IDTable()
  var shapeIDs = IDTable()
  var stops: [Stop] = []
  var routes: [Route] = []
  var trips: [Trip] = []
  var services: [Service] = []
  var stopTimes: [StopTime] = []
  var frequencies: [Frequency] = []
  var transfers: [Transfer] = []
  var links: [Link] = []
  var translations: [Translation] = []
  /// The points of all shapes, in units of 1e-7 degrees, and the first one of each shape.
  var shapePoints: [(latitude: Int32, longitude: Int32)] = []
  var shapeStarts: [UInt32] = []
  /// The zone of the agencies.
  var zone = ""
  /// The name and the web address of each agency, by its ID.
  var agencyIDs = IDTable()
  var agencies: [(name: UInt32, url: UInt32)] = []
  var publisher = FeedTables.none, version = FeedTables.none
  /// The days that `feed_info.txt` gives.
  var start: Int32?, end: Int32?
  /// The first row of `stopTimes` of each trip, and the number of all rows.
  var stopTimeStarts: [Int] = []
  var stopTimeFile: FeedFile?
  var log = FeedLog()
}
