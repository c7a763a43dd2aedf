extension String {
  /// Runs `body` on the text's UTF-8 bytes, without a copy unless the text is a bridged one.
  package func withUTF8Span<Result>(_ body: (Span<UInt8>) throws -> Result) rethrows -> Result {
    var text = self
    return try text.withUTF8 { try unsafe body($0.span) }
  }
}

extension [UInt8] {
  /// Runs `body` on the bytes. `Array.span` would do, but needs newer systems than the package.
  package func withByteSpan<Result>(_ body: (Span<UInt8>) throws -> Result) rethrows -> Result {
    try unsafe withUnsafeBufferPointer { try unsafe body($0.span) }
  }
}
