public import FieldCore
public import Logging

extension FieldObserver {
  /// Returns an observer that logs events with swift-log.
  ///
  /// The message contains the name and the step of the event; the metadata contains the rest.
  public static func logging(to logger: Logger) -> FieldObserver {
    FieldObserver { event in
      logger.log(
        level: Logger.Level(event.level), "\(event.name) \(event.step)",
        metadata: event.metadata.mapValues { .string($0) })
    }
  }
}

extension Logger.Level {
  /// Creates the level that corresponds to the importance of an event.
  public init(_ level: FieldEvent.Level) {
    self =
      switch level {
      case .debug: .debug
      case .info: .info
      case .warning: .warning
      case .error: .error
      }
  }
}
