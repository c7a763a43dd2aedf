extension Array {
  /// What an offset and a limit leave of the results of a query; a limit of nil leaves all.
  package consuming func page(offset: Int, limit: Int?) -> Self {
    if offset > 0 { removeFirst(Swift.min(offset, count)) }
    if let limit, limit < count { removeLast(count - Swift.max(0, limit)) }
    return self
  }
}
