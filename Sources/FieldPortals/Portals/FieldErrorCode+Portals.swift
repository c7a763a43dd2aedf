public import FieldCore

extension FieldError.Code {
  /// The portal denies access; the data needs a token, or another one.
  public static var portalDenied: Self { Self(rawValue: "portal.denied") { PortalGuidance.table } }
  /// The portal rejects the request; don't send it again.
  public static var portalQuery: Self { Self(rawValue: "portal.query") { PortalGuidance.table } }
  /// The dataset can't be read: it has no rows, no key, or is in a format without rows.
  public static var portalUnsupported: Self {
    Self(rawValue: "portal.unsupported") { PortalGuidance.table }
  }
}

extension RefreshReport.Notice.Code {
  /// The shapes are in a coordinate system that can't be converted, so the records have no location.
  public static var portalUnknownReference: Self { Self(rawValue: "portal.unknownReference") }
}
