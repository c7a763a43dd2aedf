internal import FieldFirestore

extension FirestorePlan {
  /// Returns a description of the composite index that a query needs, or `nil` if it needs none or
  /// the index exists.
  func missingIndex(in indexes: [FakeFirestore.Index]) -> String? {
    let comparisons = filter?.comparisons ?? []
    let arrays = Set(
      comparisons.filter { $0.operator == .arrayContains || $0.operator == .arrayContainsAny }
        .map(\.path))
    var ordered = completeOrder
    // Every index ends with the name, in the direction of the field before it.
    let direction = ordered.dropLast().last?.direction ?? .ascending
    if let last = ordered.last, last.path.isDocumentID, last.direction == direction {
      ordered.removeLast()
    }
    let equal = Set(comparisons.map(\.path)).subtracting(ordered.map(\.path))
      .filter { !$0.isDocumentID }
    let isSimple =
      ordered.isEmpty
      ? arrays.isEmpty || equal.count == 1
      : ordered.count == 1 && equal.isEmpty && !ordered[0].path.isDocumentID
    // Single-field indexes cover a collection, not a collection group.
    if isSimple && !(isCollectionGroup && (!ordered.isEmpty || !equal.isEmpty)) { return nil }
    if ordered.isEmpty && equal.isEmpty { return nil }
    let isThere = indexes.contains { index in
      guard index.collectionID == collectionID, index.isGroup || !isCollectionGroup,
        index.fields.count == equal.count + ordered.count,
        Set(index.fields.prefix(equal.count).map(\.path)) == equal
      else { return false }
      let rest = zip(index.fields.dropFirst(equal.count), ordered)
      return rest.allSatisfy { $0.path == $1.path && $0.direction == $1.direction }
        || rest.allSatisfy { $0.path == $1.path && $0.direction != $1.direction }
    }
    if isThere { return nil }
    let fields =
      equal.sorted().map { "\($0) ASCENDING" }
      + ordered.map { "\($0.path) \($0.direction.rawValue)" }
    return "\(collectionID): \(fields.joined(separator: ", "))"
  }
}
