public import FieldCore

/// The status of a sync with the server, such as a progress screen shows.
public enum CivicSyncStatus: Sendable, Codable {
  /// The sync has started (資料中下載中，請稍候...).
  case started
  /// The sync is done, and the tables are up to date.
  case done(RefreshReport)
  /// The server couldn't be reached (網路連線錯誤！).
  ///
  /// Stored data can still be read.
  case noNetwork(FieldError)
  /// The server returned something other than the requested data.
  ///
  /// Stored data can still be read.
  case serverFailure(FieldError)
  /// The data couldn't be stored.
  ///
  /// Data stored earlier can still be read.
  case storeFailure(FieldError)
  /// The sync was canceled.
  case cancelled

  private enum DoneCodingKeys: String, CodingKey { case _0 = "report" }
  private enum NoNetworkCodingKeys: String, CodingKey { case _0 = "error" }
  private enum ServerFailureCodingKeys: String, CodingKey { case _0 = "error" }
  private enum StoreFailureCodingKeys: String, CodingKey { case _0 = "error" }

  /// A Boolean value that indicates whether this is the last status of a sync.
  public var isLast: Bool { if case .started = self { false } else { true } }

  init(_ error: any Error) {
    guard let error = error as? FieldError else {
      self = .cancelled
      return
    }
    self =
      switch error.code.guidance.group {
      case .network: .noNetwork(error)
      case .device: .storeFailure(error)
      case .source, .caller: .serverFailure(error)
      }
  }
}
