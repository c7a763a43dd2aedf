internal import FieldCore
internal import FieldFoundation

/// A handler that passes the content of a document on to a builder.
///
/// The builder is a struct so that each call checks once that nothing else accesses it, instead of
/// at each use of each property.
final class FeedReader: XMLHandler {
  private var builder: FeedBuilder

  init(address: URL?, zone: FixedZone) { builder = FeedBuilder(address: address, zone: zone) }

  /// Returns the feed, or `nil` if there was no root element.
  func finish() -> FeedDocument? { builder.finish() }

  func start(_ tag: XMLTag) throws { try builder.start(tag) }

  func text(_ text: String) { builder.text(text) }

  func end(_ name: String) { builder.end(name) }

  func elementsEnded(by tag: XMLTag) -> Int { builder.elementsEnded(by: tag) }
}
