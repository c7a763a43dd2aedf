public import FieldCore
public import Metrics

extension FieldObserver {
  /// Returns an observer that counts and times events with swift-metrics.
  ///
  /// The metrics are `fieldkit_events`, a counter with the dimensions `event`, `subject`, `part`,
  /// and `label`; `fieldkit_duration`, a timer; and a recorder for each quantity, such as
  /// `fieldkit_rows` and `fieldkit_bytes`.
  ///
  /// - Parameters:
  ///   - prefix: The beginning of all names. Defaults to `fieldkit`.
  ///   - factory: The factory of the metrics. Defaults to the one of `MetricsSystem`.
  public static func metrics(
    prefix: String = "fieldkit", factory: any MetricsFactory = MetricsSystem.factory
  ) -> FieldObserver {
    FieldObserver { event in
      // An operation is counted when it ends.
      guard event.step != .began else { return }
      // Some backends require the same dimensions for all metrics of a name.
      let dimensions = [
        ("event", event.name.rawValue), ("subject", event.subject), ("part", event.part ?? ""),
      ]
      Counter(
        label: "\(prefix)_events", dimensions: dimensions + [("label", event.label)],
        factory: factory
      ).increment()
      if let duration = event.duration {
        Timer(label: "\(prefix)_duration", dimensions: dimensions, factory: factory)
          .record(duration: duration)
      }
      for (measure, value) in event.measures where measure != .revision {
        Recorder(label: "\(prefix)_\(measure)", dimensions: dimensions, factory: factory)
          .record(value)
      }
    }
  }
}
