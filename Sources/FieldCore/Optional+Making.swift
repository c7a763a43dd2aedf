extension Optional {
  /// Returns the value, which is made and kept if there is none.
  package mutating func making(_ make: () -> Wrapped) -> Wrapped {
    if let value = self { return value }
    let value = make()
    self = value
    return value
  }
}
