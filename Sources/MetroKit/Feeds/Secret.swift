internal import FieldCore

/// A text that is never printed: not by interpolation, `dump`, or a debugger's summary.
struct Secret: Sendable, Hashable {
  let text: String

  init(_ text: String) { self.text = text }
}

extension Secret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  var description: String { Redaction.placeholder }
  var debugDescription: String { Redaction.placeholder }
  var customMirror: Mirror { Mirror(self, children: []) }
}
