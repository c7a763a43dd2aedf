public import FieldCore

extension FieldError.Code {
  /// The metro's feed has no rows, although it has some even at night.
  public static var emptyFeed: Self { guided("metro.emptyFeed") }
  /// The feed has more rows than its reader's limit.
  public static var feedTooLarge: Self { guided("metro.feedTooLarge") }
  /// The feed's service responded with a SOAP fault, or with a sentence instead of rows.
  public static var feedRefused: Self { guided("metro.refused") }
  /// The service rejected the user name, the password, or the client's ID and secret.
  public static var signInRefused: Self { guided("metro.signInRefused") }
  /// The network has no station with that name; `problems` suggest similar spellings.
  public static var unknownStation: Self { guided("metro.unknownStation") }
  /// No train runs between the stations, according to the network's data.
  public static var noRoute: Self { guided("metro.noRoute") }

  private static func guided(_ rawValue: String) -> Self {
    Self(rawValue: rawValue) { MetroGuidance.table }
  }
}
