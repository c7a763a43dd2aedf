/// The kind of values seen so far in one place of a record, from which the text of a shape is written.
indirect enum ShapeKind: Sendable {
  /// A kind without parts.
  case plain(RecordShape.Kind)
  case array(ShapeKind)
  case map(ShapeKind)
  case record([Field])
  case union([ShapeKind])

  struct Field: Sendable {
    var key: String
    var kind: ShapeKind
  }

  /// The fewest bytes of a value.
  var smallestSize: Int {
    switch self {
    case .plain(let kind): kind.smallestSize
    case .record(let fields): fields.reduce(0) { $0 + $1.kind.smallestSize }
    case .array, .map, .union: 1
    }
  }

  /// The number of fields of a record.
  var fieldCount: Int? { if case .record(let fields) = self { fields.count } else { nil } }

  private var isAny: Bool { if case .plain(.any) = self { true } else { false } }

  private var alternatives: [ShapeKind] {
    if case .union(let alternatives) = self { alternatives } else { [self] }
  }

  /// Returns the kind of values that may also be absent.
  var orAbsent: ShapeKind { ShapeKind.plain(.absent).merged(with: self) }

  /// Returns a kind that contains the values of both.
  func merged(with other: ShapeKind) -> ShapeKind {
    if isAny || other.isAny { return .plain(.any) }
    var merged = alternatives
    for alternative in other.alternatives {
      if let (place, both) = merged.lazy.enumerated().compactMap({ place, kind in
        kind.narrowlyMerged(with: alternative).map { (place, $0) }
      }).first {
        merged[place] = both
      } else {
        merged.append(alternative)
      }
    }
    guard merged.count > 1 else { return merged[0] }
    guard merged.count <= RecordShape.alternativeLimit, !merged.contains(where: \.isAny) else {
      return .plain(.any)
    }
    return .union(merged)
  }

  /// Returns a kind of the same form that contains the values of both, or `nil` if they are alternatives.
  private func narrowlyMerged(with other: ShapeKind) -> ShapeKind? {
    switch (self, other) {
    case (.plain(let kind), .plain(let other)) where kind == other: self
    case (.plain(.null), .plain(.unknown)), (.plain(.absent), .plain(.unknown)),
      (.plain(.unknown), .plain(.null)), (.plain(.unknown), .plain(.absent)):
      nil
    case (.plain(.unknown), let known), (let known, .plain(.unknown)): known
    case (.array(let element), .array(let other)): .array(of: element.merged(with: other))
    case (.map(let value), .map(let other)): .map(value.merged(with: other))
    case (.record(let fields), .record(let others)):
      Self.merged(fields, others).map(ShapeKind.record)
    default: nil
    }
  }

  /// Returns the kind of arrays; elements that might take no room are self-described.
  static func array(of element: ShapeKind) -> ShapeKind {
    .array(element.smallestSize > 0 ? element : .plain(.any))
  }

  /// Returns the fields of both records, or `nil` if they have no key in common or another order.
  private static func merged(_ fields: [Field], _ others: [Field]) -> [Field]? {
    var merged: [Field] = []
    var (rest, hasCommonKey) = (others[...], fields.isEmpty && others.isEmpty)
    for field in fields {
      guard let place = rest.firstIndex(where: { $0.key == field.key }) else {
        if others.contains(where: { $0.key == field.key }) { return nil }
        merged.append(Field(key: field.key, kind: field.kind.orAbsent))
        continue
      }
      hasCommonKey = true
      merged += rest[..<place].map { Field(key: $0.key, kind: $0.kind.orAbsent) }
      merged.append(Field(key: field.key, kind: field.kind.merged(with: rest[place].kind)))
      rest = rest[(place + 1)...]
    }
    merged += rest.map { Field(key: $0.key, kind: $0.kind.orAbsent) }
    // A key that was skipped in one of them may come later in the other.
    guard hasCommonKey, Set(merged.map(\.key)).count == merged.count else { return nil }
    return merged
  }

  /// Appends the text of the kind.
  ///
  /// - Parameter idField: The field of a record that contains the ID.
  func append(to text: inout String, idField: Int? = nil) {
    switch self {
    case .plain(let kind):
      if let letter = kind.letter { text.unicodeScalars.append(Unicode.Scalar(letter)) }
    case .array(let element): Self.append([element], to: &text, "[", "]")
    case .map(let value): Self.append([value], to: &text, "<", ">")
    case .union(let alternatives): Self.append(alternatives, to: &text, "(", ")")
    case .record(let fields):
      text += "{"
      for (place, field) in fields.enumerated() {
        text += "\(field.key.utf8.count):\(field.key)"
        if place == idField { text += "=" } else { field.kind.append(to: &text) }
      }
      text += "}"
    }
  }

  private static func append(
    _ parts: [ShapeKind], to text: inout String, _ start: String, _ end: String
  ) {
    text += start
    for part in parts { part.append(to: &text) }
    text += end
  }
}
