public import FieldCore
internal import FieldFoundation

extension Arrival {
  /// The identifier of an arrival; its text has no fixed format.
  ///
  /// The open feed has no numbers of trains, and the `_id` of its rows is only their position. So an
  /// event is known by its station, its destination and its time: the same event has the same id in
  /// every answer that holds it, and through every feed that gives its time alike. A row with a
  /// countdown is known by its station, its destination and the number of its train, so that it stays
  /// itself while the countdown runs.
  ///
  /// Rows of one answer that agree in all of that are numbered in the order in which they came; the
  /// second has `#2` at its end. Names that the network knows are taken as the network has them, so that
  /// `淡水站` and `淡水` are the same.
  public typealias ID = RecordID<Arrival>
}

extension RecordID where Subject == Arrival {
  /// The id of an event.
  init(event station: String, _ destination: String, at time: FeedTime?) {
    self.init(
      rawValue: Self.beginning(ofEvent: station, destination) + Self.text(of: time))
  }

  /// What the id of an event begins with; the text of its time follows.
  static func beginning(ofEvent station: String, _ destination: String) -> String {
    "\(station)>\(destination)@"
  }

  /// The id of a train that is counted down.
  init(train number: String?, _ station: String, _ destination: String) {
    self.init(rawValue: "\(station)>\(destination):\(number ?? "")")
  }

  /// The id of the n-th row, from 2, that agrees with this one in everything.
  func numbered(_ occurrence: Int) -> Self { Self(rawValue: "\(rawValue)#\(occurrence)") }

  /// The time to the millisecond, written the same whatever form it came in; the text as it came when
  /// that cannot be read.
  static func text(of time: FeedTime?) -> String {
    guard let time else { return "" }
    guard let instant = time.instant else { return time.rawText }
    return String(milliseconds(of: instant))
  }

  /// A moment in milliseconds since 1970.
  static func milliseconds(of instant: Date) -> Int {
    Int((instant.timeIntervalSince1970 * 1000).rounded())
  }
}
