public import FieldCore

extension FieldError.Code {
  /// The portal does not understand the query; sending it again is of no use.
  ///
  /// A query that asks for a column that is gone has the code `rows.schema` instead.
  public static var sodaQuery: Self { Self(rawValue: "soda.query") }
  /// The portal refuses access, without an app token too.
  public static var sodaDenied: Self { Self(rawValue: "soda.denied") }
  /// Every answer came from a replica that says it is out of date.
  public static var sodaStale: Self { Self(rawValue: "soda.stale") }
  /// The portal was still working on the query when the patience ended.
  public static var sodaPending: Self { Self(rawValue: "soda.pending") }
  /// The portal cannot say how its rows are ordered: it does not give `:id` and `:updated_at`.
  public static var sodaNoSystemFields: Self { Self(rawValue: "soda.noSystemFields") }
}

extension RefreshReport.Notice.Code {
  /// The portal refused the app token, and was asked without it.
  public static var sodaTokenRefused: Self { Self(rawValue: "soda.tokenRefused") }
}
