public import FieldCore
internal import FieldFoundation

extension Arrival {
  /// The identifier of an arrival; its text has no fixed format.
  ///
  /// The open feed has no train numbers, and the `_id` of a row is only its position. An event is
  /// therefore identified by its station, destination, and time: the same event has the same ID in
  /// every response that contains it, and in every feed that gives the same time. A row with a
  /// countdown is identified by its station, destination, and train number, so it keeps its ID
  /// while the countdown runs.
  ///
  /// Rows of one response that agree in all of these are numbered in order; the ID of the second
  /// ends with `#2`. Names that are in the network are replaced by the network's, so `淡水站` and `淡水`
  /// are the same.
  public typealias ID = RecordID<Arrival>
}

extension RecordID where Subject == Arrival {
  /// Creates the ID of an event. Its time is to the millisecond, in the same form for every feed, or
  /// the original text if it is unreadable.
  init(event station: String, _ destination: String, at time: FeedTime?) {
    let moment = time?.instant.map { String(Self.milliseconds(of: $0)) } ?? time?.rawText ?? ""
    self.init(rawValue: Self.beginning(ofEvent: station, destination) + moment)
  }

  /// Returns the prefix of an event's ID, which the text of its time follows.
  static func beginning(ofEvent station: String, _ destination: String) -> String {
    "\(station)>\(destination)@"
  }

  /// Creates the ID of a train with a countdown.
  init(train number: String?, _ station: String, _ destination: String) {
    self.init(rawValue: "\(station)>\(destination):\(number ?? "")")
  }

  /// Returns the ID of the n-th row, counting from 2, that agrees with this one in everything.
  func numbered(_ occurrence: Int) -> Self { Self(rawValue: "\(rawValue)#\(occurrence)") }

  /// Returns a date in milliseconds since 1970.
  static func milliseconds(of instant: Date) -> Int64 {
    Int64(limiting: instant.timeIntervalSince1970 * 1000)
  }
}
