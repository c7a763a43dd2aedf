public import FieldCore

extension FieldError.Code {
  /// The network has no station with that name; `problems` suggest similar spellings.
  public static var unknownStation: Self {
    Self(rawValue: "metro.unknownStation") { MetroGuidance.table }
  }
  /// No train runs between the stations, according to the network's data.
  public static var noRoute: Self { Self(rawValue: "metro.noRoute") { MetroGuidance.table } }
}
