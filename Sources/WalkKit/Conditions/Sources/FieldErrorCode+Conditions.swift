public import FieldCore

extension FieldError.Code {
  /// A service of weather or air does not accept the key, or not any more.
  public static var serviceKeyRefused: Self { Self(rawValue: "walks.serviceKeyRefused") }
  /// A service of weather or air answered with an error of its own, whatever the status.
  public static var conditionsRefused: Self { Self(rawValue: "walks.conditionsRefused") }
  /// A service of weather or air knows nothing of the place or of the station.
  public static var noConditions: Self { Self(rawValue: "walks.noConditions") }
}
