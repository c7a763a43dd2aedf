/// A field that every row has.
enum FakeSODASystemField: String, CaseIterable {
  case id = ":id"
  case createdAt = ":created_at"
  case updatedAt = ":updated_at"
  case version = ":version"

  var type: FakeSoQLType {
    switch self {
    case .id: .id
    case .createdAt, .updatedAt: .fixed
    case .version: .version
    }
  }
}

/// A column or a system field.
enum FakeSoQLSource: Hashable {
  case cell(Int, FakeSoQLType)
  case system(FakeSODASystemField)

  var type: FakeSoQLType {
    switch self {
    case .cell(_, let type): type
    case .system(let field): field.type
    }
  }

  func value(_ record: FakeSODARecord) -> FakeSoQLValue {
    switch self {
    case .cell(let index, let type): FakeSoQLValue(record.cells[index], as: type)
    case .system(.id): .hidden(record.number)
    case .system(.version): .hidden(record.version)
    case .system(.createdAt): .time(record.createdAt)
    case .system(.updatedAt): .time(record.updatedAt)
    }
  }

  func cell(_ record: FakeSODARecord, _ options: FakeSODAServer.Options) -> FakeSODAServer.Cell {
    switch self {
    case .cell(let index, _): record.cells[index]
    case .system(.id): .text(options.ids.text(record.number))
    case .system(.version): .text(options.versions.text(record.version))
    case .system(.createdAt): .timestamp(FakeSoQLTime.text(record.createdAt, isFixed: true))
    case .system(.updatedAt): .timestamp(FakeSoQLTime.text(record.updatedAt, isFixed: true))
    }
  }
}

/// An expression with resolved names, and its type.
struct FakeSoQLTyped {
  var type: FakeSoQLType
  /// The text literal, if it was one, which can stand for other types.
  var literal: String?
  var value: (FakeSODARecord) -> FakeSoQLValue
}

/// A checker that resolves the names and types of expressions, and reports errors.
struct FakeSoQLChecker {
  let columns: [FakeSODAServer.Column]
  let options: FakeSODAServer.Options
  /// A Boolean value that indicates whether text comparison is case-insensitive.
  let isCaseBlind: Bool

  /// Resolves a condition.
  func condition(
    _ expression: FakeSoQLExpression
  ) throws(FakeSoQLError) -> (FakeSODARecord) -> FakeSoQLValue {
    let condition = try check(expression)
    guard condition.type == .boolean || condition.type == .null else {
      throw .soql(
        "type-mismatch", "Type mismatch: a condition is checkbox, not \(condition.type.name)",
        at: expression.offset)
    }
    return condition.value
  }

  /// Resolves the name of a column, or throws an error for any other expression.
  func source(_ expression: FakeSoQLExpression) throws(FakeSoQLError) -> FakeSoQLSource {
    guard case .column(let name, let position) = expression else {
      throw .unsupported("expressions here", at: expression.offset)
    }
    if let field = FakeSODASystemField(rawValue: name) { return .system(field) }
    guard let index = columns.firstIndex(where: { $0.name.lowercased() == name }) else {
      throw .noColumn(name, at: position.offset)
    }
    return .cell(index, FakeSoQLType(columns[index].type))
  }

  private func check(_ expression: FakeSoQLExpression) throws(FakeSoQLError) -> FakeSoQLTyped {
    switch expression {
    case .text(let text, _):
      return FakeSoQLTyped(type: .text, literal: text) { _ in .text(text) }
    case .number(let text, let position):
      guard let value = FakeSoQLNumber.value(text) else {
        throw .malformed("\(text) is too large", at: position.offset)
      }
      return FakeSoQLTyped(type: .number) { _ in .number(value) }
    case .boolean(let value): return FakeSoQLTyped(type: .boolean) { _ in .boolean(value) }
    case .null: return FakeSoQLTyped(type: .null) { _ in .null }
    case .star: throw .malformed("Could not parse SoQL query: `*' is of count alone")
    case .column:
      let source = try source(expression)
      return FakeSoQLTyped(type: source.type, value: source.value)
    case .call("count", _, let position):
      throw .soql(
        "aggregate-in-ungrouped-context", "Aggregate functions are not allowed here",
        at: position.offset)
    case .call(let name, let arguments, let position):
      var typed: [FakeSoQLTyped] = []
      for argument in arguments { typed.append(try check(argument)) }
      return try call(name, typed, at: position.offset)
    }
  }

  private func call(
    _ name: String, _ arguments: [FakeSoQLTyped], at offset: Int
  ) throws(FakeSoQLError) -> FakeSoQLTyped {
    switch (name, arguments.count) {
    case ("and", 2), ("or", 2): return try joined(name, arguments[0], arguments[1], at: offset)
    case ("not", 1): return try negated(arguments[0], at: offset)
    case ("=", 2), ("!=", 2), ("<", 2), ("<=", 2), (">", 2), (">=", 2):
      return try compared(name, arguments[0], arguments[1], at: offset)
    case ("between", 3), ("not between", 3):
      let low = try compared(">=", arguments[0], arguments[1], at: offset)
      let high = try compared("<=", arguments[0], arguments[2], at: offset)
      let both = try joined("and", low, high, at: offset)
      return name == "between" ? both : try negated(both, at: offset)
    case ("in", _), ("not in", _):
      var candidates: [(FakeSODARecord) -> FakeSoQLValue] = []
      for candidate in arguments.dropFirst() {
        candidates.append(try compared("=", arguments[0], candidate, at: offset).value)
      }
      let any = FakeSoQLTyped(type: .boolean) { [candidates] record in
        var result = FakeSoQLValue.boolean(false)
        for candidate in candidates {
          let value = candidate(record)
          if value.isTrue { return value }
          if value.isNull { result = .null }
        }
        return result
      }
      return name == "in" ? any : try negated(any, at: offset)
    case ("is null", 1), ("is not null", 1):
      let (isNull, value) = (name == "is null", arguments[0].value)
      return FakeSoQLTyped(type: .boolean) { .boolean(value($0).isNull == isNull) }
    case ("like", 2), ("not like", 2), ("starts_with", 2):
      return try matched(name, arguments[0], arguments[1], at: offset)
    case ("within_circle", 4), ("within_box", 5): return try located(name, arguments, at: offset)
    default: throw .unsupported("\(name) with \(arguments.count) arguments", at: offset)
    }
  }

  /// Returns the argument converted to a type: a text literal can stand for others.
  private func argument(
    _ typed: FakeSoQLTyped, _ type: FakeSoQLType, of name: String, at offset: Int
  ) throws(FakeSoQLError) -> (FakeSODARecord) -> FakeSoQLValue {
    if typed.type == type || typed.type == .null { return typed.value }
    let value: FakeSoQLValue? = typed.literal.flatMap { literal in
      switch type {
      case .number: FakeSoQLNumber.value(literal).map(FakeSoQLValue.number)
      case .floating: FakeSoQLTime.micros(literal, isFixed: false).map(FakeSoQLValue.time)
      case .fixed: FakeSoQLTime.micros(literal, isFixed: true).map(FakeSoQLValue.time)
      case .id: options.ids.number(literal).map(FakeSoQLValue.hidden)
      case .version: options.versions.number(literal).map(FakeSoQLValue.hidden)
      case .boolean: literal == "true" ? .boolean(true) : literal == "false" ? .boolean(false) : nil
      case .text, .point, .location, .null, .other: nil
      }
    }
    guard let value else { throw .mismatch(name, typed.type, at: offset) }
    return { _ in value }
  }

  /// In three-valued logic, null and false is false, and null or true is true.
  private func joined(
    _ name: String, _ left: FakeSoQLTyped, _ right: FakeSoQLTyped, at offset: Int
  ) throws(FakeSoQLError) -> FakeSoQLTyped {
    let decisive = FakeSoQLValue.boolean(name == "or")
    let left = try argument(left, .boolean, of: "op$\(name)", at: offset)
    let right = try argument(right, .boolean, of: "op$\(name)", at: offset)
    return FakeSoQLTyped(type: .boolean) { record in
      let one = left(record)
      if one == decisive { return decisive }
      let other = right(record)
      if other == decisive { return decisive }
      return one.isNull || other.isNull ? .null : .boolean(name == "and")
    }
  }

  private func negated(
    _ condition: FakeSoQLTyped, at offset: Int
  ) throws(FakeSoQLError) -> FakeSoQLTyped {
    let value = try argument(condition, .boolean, of: "op$not", at: offset)
    return FakeSoQLTyped(type: .boolean) { record in
      guard case .boolean(let isTrue) = value(record) else { return .null }
      return .boolean(!isTrue)
    }
  }

  private func compared(
    _ sign: String, _ left: FakeSoQLTyped, _ right: FakeSoQLTyped, at offset: Int
  ) throws(FakeSoQLError) -> FakeSoQLTyped {
    let type = left.literal == nil && left.type != .null ? left.type : right.type
    let one = try argument(left, type, of: "op$\(sign)", at: offset)
    let other = try argument(right, type, of: "op$\(sign)", at: offset)
    guard type.isOrdered else { throw .mismatch("op$\(sign)", type, at: offset) }
    return FakeSoQLTyped(type: .boolean) { [isCaseBlind] record in
      var (one, other) = (one(record), other(record))
      if isCaseBlind, case .text(let left) = one, case .text(let right) = other {
        (one, other) = (.text(left.lowercased()), .text(right.lowercased()))
      }
      guard let order = FakeSoQLValue.order(one, other) else { return .null }
      return switch sign {
      case "=": .boolean(order == 0)
      case "!=": .boolean(order != 0)
      case "<": .boolean(order < 0)
      case "<=": .boolean(order <= 0)
      case ">": .boolean(order > 0)
      default: .boolean(order >= 0)
      }
    }
  }

  private func matched(
    _ name: String, _ left: FakeSoQLTyped, _ right: FakeSoQLTyped, at offset: Int
  ) throws(FakeSoQLError) -> FakeSoQLTyped {
    let text = try argument(left, .text, of: name, at: offset)
    let pattern = try argument(right, .text, of: name, at: offset)
    return FakeSoQLTyped(type: .boolean) { [isCaseBlind] record in
      guard case .text(var text) = text(record), case .text(var pattern) = pattern(record) else {
        return .null
      }
      if isCaseBlind { (text, pattern) = (text.lowercased(), pattern.lowercased()) }
      if name == "starts_with" { return .boolean(text.utf8.starts(with: pattern.utf8)) }
      let isLike = Self.isLike(Array(text.unicodeScalars), Array(pattern.unicodeScalars))
      return .boolean(isLike == (name == "like"))
    }
  }

  /// Returns whether a text matches a pattern, in which `%` is any text and `_` any character.
  private static func isLike(
    _ text: [Unicode.Scalar], _ pattern: [Unicode.Scalar]
  ) -> Bool {
    var (at, place) = (0, 0)
    var retry: (at: Int, place: Int)?
    while at < text.count {
      if place < pattern.count, pattern[place] == "%" {
        retry = (at, place + 1)
        place += 1
      } else if place < pattern.count, pattern[place] == "_" || pattern[place] == text[at] {
        (at, place) = (at + 1, place + 1)
      } else if let last = retry {
        retry = (last.at + 1, last.place)
        (at, place) = (last.at + 1, last.place)
      } else {
        return false
      }
    }
    return pattern[place...].allSatisfy { $0 == "%" }
  }

  /// Resolves the functions of locations, which take the latitude before the longitude.
  private func located(
    _ name: String, _ arguments: [FakeSoQLTyped], at offset: Int
  ) throws(FakeSoQLError) -> FakeSoQLTyped {
    let place = arguments[0]
    guard place.type == .point || place.type == .location else {
      throw .mismatch(name, place.type, at: offset)
    }
    var numbers: [(FakeSODARecord) -> FakeSoQLValue] = []
    for typed in arguments.dropFirst() {
      numbers.append(try argument(typed, .number, of: name, at: offset))
    }
    return FakeSoQLTyped(type: .boolean) { record in
      let place = place.value(record)
      let given = numbers.compactMap { $0(record).number }
      guard case .place(let longitude, let latitude) = place, given.count == numbers.count else {
        return .null
      }
      if name == "within_circle" {
        return place.meters(latitude: given[0], longitude: given[1])
          .map { .boolean($0 <= given[2]) } ?? .null
      }
      let isWithin =
        latitude <= given[0] && latitude >= given[2]
        && longitude >= given[1] && longitude <= given[3]
      return .boolean(isWithin)
    }
  }
}
