public import FieldCore

extension FieldError.Code {
  /// A feed of the metro has no rows, where it has some even at night.
  public static var emptyFeed: Self { Self(rawValue: "metro.emptyFeed") }
  /// A feed has more rows than its reader was told to take.
  public static var feedTooLarge: Self { Self(rawValue: "metro.feedTooLarge") }
  /// The service of a feed answered with a fault, or with a sentence in place of rows.
  public static var feedRefused: Self { Self(rawValue: "metro.refused") }
  /// A service does not accept the user name, the password, or the client's id and secret.
  public static var signInRefused: Self { Self(rawValue: "metro.signInRefused") }
}
