extension FieldError.Code {
  /// The system has no rules for the feed's time zone.
  public static var transitZone: Self { Self(rawValue: "transit.zone") { TransitGuidance.table } }
  /// The stop isn't in the timetable.
  public static var transitStop: Self { Self(rawValue: "transit.stop") { TransitGuidance.table } }
  /// The feed was refused because it is empty, has expired, or is much smaller than the one before.
  public static var transitFeedRefused: Self {
    Self(rawValue: "transit.feedRefused") { TransitGuidance.table }
  }
}
