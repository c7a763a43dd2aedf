import FieldCore
@testable import FieldXML

/// Writes down what a document holds.
final class EventLog: XMLHandler {
  private(set) var events: [String] = []
  private(set) var tags: [XMLTag] = []
  /// The element that is enough.
  var last: String?
  /// The element that is refused.
  var refused: String?
  private(set) var isFinished = false

  func start(_ tag: XMLTag) throws {
    if tag.name == refused { throw FieldError(.invalidInput, "refused") }
    tags.append(tag)
    events.append("<\(tag.name)>")
    isFinished = tag.name == last
  }

  func text(_ text: String) { events.append(text) }

  func end(_ name: String) { events.append("</\(name)>") }

  var text: String { events.joined() }
}

extension EventLog {
  /// Reads a document with a new log.
  static func read(
    _ bytes: [UInt8], charset: String? = nil, limits: XMLLimits = XMLLimits()
  ) throws -> (log: EventLog, fault: XMLFault?) {
    let log = EventLog()
    let fault = try XMLReader(limits: limits).read(bytes, charset: charset, into: log)
    return (log, fault)
  }

  static func read(_ text: String) throws -> (log: EventLog, fault: XMLFault?) {
    try read(Array(text.utf8))
  }
}
