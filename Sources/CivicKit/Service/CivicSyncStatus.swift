public import FieldCore

/// How the synchronisation with the server stands: what the old app's waiting screen listened to.
public enum CivicSyncStatus: Sendable, Codable {
  /// It has begun: 資料中下載中，請稍候...
  case started
  /// It is done; the tables are up to date.
  case done(RefreshReport)
  /// The server could not be reached: 網路連線錯誤！ What is stored can be read as before.
  case noNetwork(FieldError)
  /// The server answered, and not with what was asked for. What is stored can be read as before.
  case serverFailure(FieldError)
  /// What came could not be stored. What is stored can be read as before.
  case storeFailure(FieldError)
  /// It was cancelled.
  case cancelled

  private enum DoneCodingKeys: String, CodingKey { case _0 = "report" }
  private enum NoNetworkCodingKeys: String, CodingKey { case _0 = "error" }
  private enum ServerFailureCodingKeys: String, CodingKey { case _0 = "error" }
  private enum StoreFailureCodingKeys: String, CodingKey { case _0 = "error" }

  /// Whether nothing more comes of this run, so that a waiting screen can go.
  public var isLast: Bool {
    if case .started = self { false } else { true }
  }

  /// The status that a failure means.
  init(_ error: any Error) {
    guard let error = error as? FieldError else {
      self = .cancelled
      return
    }
    switch error.code {
    case .offline, .timeout, .connectionLost, .transport: self = .noNetwork(error)
    case let code where code.rawValue.hasPrefix("store."): self = .storeFailure(error)
    default: self = .serverFailure(error)
    }
  }
}
