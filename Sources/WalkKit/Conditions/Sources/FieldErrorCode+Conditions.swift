public import FieldCore

extension FieldError.Code {
  /// A weather or air quality service doesn't accept the key, or no longer does.
  public static var serviceKeyRefused: Self {
    Self(rawValue: "walks.serviceKeyRefused") { WalkGuidance.table }
  }
  /// A weather or air quality service reported an error of its own, whatever the status.
  public static var conditionsRefused: Self {
    Self(rawValue: "walks.conditionsRefused") { WalkGuidance.table }
  }
  /// A weather or air quality service doesn't know the place or the station.
  public static var noConditions: Self {
    Self(rawValue: "walks.noConditions") { WalkGuidance.table }
  }
}
