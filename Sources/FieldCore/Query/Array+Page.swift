extension Array {
  /// Returns the elements after an offset, up to a limit; a limit of `nil` returns all.
  package consuming func page(offset: Int, limit: Int?) -> Self {
    if offset > 0 { removeFirst(Swift.min(offset, count)) }
    if let limit, limit < count { removeLast(count - Swift.max(0, limit)) }
    return self
  }
}
