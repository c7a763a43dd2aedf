extension String {
  /// Calls a closure with the text's UTF-8 bytes, without a copy unless the string is bridged.
  @inlinable
  package func withUTF8Span<Result>(_ body: (Span<UInt8>) throws -> Result) rethrows -> Result {
    var text = self
    return try text.withUTF8 { try unsafe body($0.span) }
  }
}

extension [UInt8] {
  /// Calls a closure with the bytes, because `Array.span` is newer than the package's oldest
  /// systems.
  @inlinable
  @inline(__always)
  package func withByteSpan<Result, Failure: Error>(
    _ body: (Span<UInt8>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try unsafe withUnsafeBufferPointer { buffer throws(Failure) in
      try body(unsafe buffer.span)
    }
  }
}
