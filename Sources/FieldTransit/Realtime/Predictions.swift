/// What messages changed in a timetable: which patterns are predicted runs, and which of their times are.
struct Predictions: Sendable {
  /// A place of a predicted run.
  struct Marks: OptionSet, Sendable {
    let rawValue: UInt8
    static var arrival: Self { Self(rawValue: 1) }
    static var departure: Self { Self(rawValue: 2) }
    static var skipped: Self { Self(rawValue: 4) }
  }

  /// The run of the timetable that became a predicted run.
  struct Scheduled: Sendable {
    var pattern: Int, run: Int
    /// The minutes from the start of that run's service day to that of the predicted run's.
    var shift: Int32
  }

  /// A predicted run, which is the only one of its pattern.
  struct Run: Sendable {
    /// The moment of the prediction, in seconds since 1970.
    var date: Int64
    /// `nil` for a run that the timetable doesn't have.
    var scheduled: Scheduled?
    /// Whether the vehicle takes the way of its trip in the timetable.
    var isOnWay: Bool
    /// The place of its first mark.
    var firstMark: Int
  }

  /// The timetable without messages.
  let base: TimetableStorage
  /// The number of the first pattern that is a predicted run; those after it are, too.
  let firstPattern: Int
  let runs: [Run]
  let marks: [Marks]
  let report: RealtimeReport

  func run(_ pattern: Int) -> Run? {
    pattern < firstPattern ? nil : runs[pattern - firstPattern]
  }

  func marks(_ pattern: Int, at place: Int) -> Marks {
    run(pattern).map { marks[$0.firstMark + place] } ?? []
  }
}
