public import FieldCore
public import Tracing

extension FieldObserver {
  /// Returns an observer that records operations as spans with swift-distributed-tracing.
  ///
  /// The span of a refresh contains those of its parts, whose pages are events. A span without a
  /// parent belongs to the current one of the task, if there is any.
  public static func tracing(_ tracer: any Tracer = InstrumentationSystem.tracer) -> FieldObserver {
    let spans = Operations<any Span>()
    return FieldObserver { event in
      switch event.step {
      case .began:
        spans.begin(event.operation, tracer.span(of: event, in: spans))
      case .occurred:
        if let span = spans[event.operation] {
          span.addEvent(SpanEvent(name: event.name.rawValue, attributes: event.attributes))
        } else {
          let span = tracer.span(of: event, in: spans)
          span.attributes.merge(event.attributes)
          span.end()
        }
      case .ended, .failed, .cancelled:
        guard let span = spans.end(event.operation) else { return }
        span.attributes.merge(event.attributes)
        if event.step == .failed {
          span.setStatus(SpanStatus(code: .error, message: event.label))
        }
        span.end()
      }
    }
  }
}

extension Tracer {
  fileprivate func span(
    of event: FieldEvent, in spans: Operations<any Tracing.Span>
  ) -> any Tracing.Span {
    guard let parent = event.parent.flatMap({ spans[$0] }) else {
      return startSpan(event.name.rawValue)
    }
    return startSpan(event.name.rawValue, context: parent.context)
  }
}

extension FieldEvent {
  fileprivate var attributes: SpanAttributes {
    var attributes = SpanAttributes()
    for (key, value) in metadata { attributes["fieldkit.\(key)"] = value }
    return attributes
  }
}
