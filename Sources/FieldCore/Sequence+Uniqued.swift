extension Sequence {
  /// Returns the elements in order, of those with equal keys only the first.
  package func uniqued<Key: Hashable>(by key: (Element) -> Key) -> [Element] {
    var seen: Set<Key> = []
    return filter { seen.insert(key($0)).inserted }
  }
}

extension Sequence where Element: Hashable {
  /// Returns the elements in order, each once.
  package func uniqued() -> [Element] { uniqued { $0 } }
}
