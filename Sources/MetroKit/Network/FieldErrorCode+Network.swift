public import FieldCore

extension FieldError.Code {
  /// No station of the network has that name; `problems` suggest some that are spelt alike.
  public static var unknownStation: Self { Self(rawValue: "metro.unknownStation") }
  /// No train runs between the stations, as far as the network's data knows.
  public static var noRoute: Self { Self(rawValue: "metro.noRoute") }
}
