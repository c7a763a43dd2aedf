public import FieldCore

extension FieldError.Code {
  /// The metro's feed has no rows, although it has some even at night.
  public static var emptyFeed: Self { Self(rawValue: "metro.emptyFeed") { MetroGuidance.table } }
  /// The feed has more rows than its reader's limit.
  public static var feedTooLarge: Self {
    Self(rawValue: "metro.feedTooLarge") { MetroGuidance.table }
  }
  /// The feed's service answered with a SOAP fault, or with a sentence instead of rows.
  public static var feedRefused: Self { Self(rawValue: "metro.refused") { MetroGuidance.table } }
  /// The service rejected the user name, the password, or the client's ID and secret.
  public static var signInRefused: Self {
    Self(rawValue: "metro.signInRefused") { MetroGuidance.table }
  }
}
