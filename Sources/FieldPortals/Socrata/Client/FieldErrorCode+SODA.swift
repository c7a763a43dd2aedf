public import FieldCore

extension FieldError.Code {
  /// The portal rejects the query; don't send it again.
  ///
  /// A query for a column that no longer exists has the code `rows.schema` instead.
  public static var sodaQuery: Self { Self(rawValue: "soda.query") { PortalGuidance.table } }
  /// The portal denies access, even without an app token.
  public static var sodaDenied: Self { Self(rawValue: "soda.denied") { PortalGuidance.table } }
  /// Every response came from a replica that reports it is out of date.
  public static var sodaStale: Self { Self(rawValue: "soda.stale") { PortalGuidance.table } }
  /// The portal was still working on the query when the client stopped waiting.
  public static var sodaPending: Self { Self(rawValue: "soda.pending") { PortalGuidance.table } }
  /// The rows lack `:id` or `:updated_at`, which define their order.
  public static var sodaNoSystemFields: Self {
    Self(rawValue: "soda.noSystemFields") { PortalGuidance.table }
  }
}

extension RefreshReport.Notice.Code {
  /// The portal rejected the app token, so the request was repeated without it.
  public static var sodaTokenRefused: Self { Self(rawValue: "soda.tokenRefused") }
}
