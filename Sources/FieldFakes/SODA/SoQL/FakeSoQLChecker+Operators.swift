extension FakeSoQLChecker {
  /// Resolves a call by its name and the types of its arguments.
  func call(
    _ name: String, _ arguments: [FakeSoQLTyped], at offset: Int?
  ) throws(FakeSoQLError) -> FakeSoQLTyped {
    switch name {
    case "and", "or", "not": return try logic(name, arguments, at: offset)
    case "=", "!=", "<", "<=", ">", ">=":
      return try comparison(name, arguments[0], arguments[1], at: offset)
    case "between", "not between":
      let low = try comparison(">=", arguments[0], arguments[1], at: offset)
      let high = try comparison("<=", arguments[0], arguments[2], at: offset)
      let both = try logic("and", [low, high], at: offset)
      return name == "between" ? both : try logic("not", [both], at: offset)
    case "in", "not in":
      var any = FakeSoQLTyped(node: .constant(.boolean(false)), type: .boolean)
      for candidate in arguments.dropFirst() {
        any = try logic(
          "or", [any, try comparison("=", arguments[0], candidate, at: offset)], at: offset)
      }
      return name == "in" ? any : try logic("not", [any], at: offset)
    case "is null", "is not null":
      let isNull = name == "is null"
      let node = FakeSoQLNode.unary({ .boolean($0.isNull == isNull) }, arguments[0].node)
      return FakeSoQLTyped(node: node, type: .boolean)
    case "+", "-", "*", "/", "%", "^": return try arithmetic(name, arguments, at: offset)
    case "negate":
      return try unary("-", arguments, .number, gives: .number, at: offset) { value in
        value.number.map { .number(-$0) } ?? .null
      }
    default:
      if let typed = try conditional(name, arguments, at: offset) { return typed }
      if let typed = try textFunction(name, arguments, at: offset) { return typed }
      if let typed = try geoFunction(name, arguments, at: offset) { return typed }
      if let typed = try timeFunction(name, arguments, at: offset) { return typed }
      throw .noFunction(name, arguments.count, at: offset)
    }
  }

  /// Returns the argument converted to a type: a text literal can stand for others.
  func argument(
    _ typed: FakeSoQLTyped, _ type: FakeSoQLType, of name: String, at offset: Int?
  ) throws(FakeSoQLError) -> FakeSoQLNode {
    if typed.type == type || typed.type == .null { return typed.node }
    if let literal = typed.literal, let value = convert(literal, to: type) {
      return .constant(value)
    }
    throw .mismatch(name, typed.type, at: offset)
  }

  func unary(
    _ name: String, _ arguments: [FakeSoQLTyped], _ type: FakeSoQLType,
    gives result: FakeSoQLType, at offset: Int?,
    _ function: @escaping @Sendable (FakeSoQLValue) -> FakeSoQLValue
  ) throws(FakeSoQLError) -> FakeSoQLTyped {
    let node = try argument(arguments[0], type, of: name, at: offset)
    return FakeSoQLTyped(node: .unary(function, node), type: result)
  }

  /// Resolves a function of two arguments; both have the type of the first unless there is another.
  func binary(
    _ name: String, _ arguments: [FakeSoQLTyped], _ type: FakeSoQLType,
    _ second: FakeSoQLType? = nil, gives result: FakeSoQLType, at offset: Int?,
    _ function: @escaping @Sendable (FakeSoQLValue, FakeSoQLValue) -> FakeSoQLValue
  ) throws(FakeSoQLError) -> FakeSoQLTyped {
    let left = try argument(arguments[0], type, of: name, at: offset)
    let right = try argument(arguments[1], second ?? type, of: name, at: offset)
    return FakeSoQLTyped(node: .binary(function, left, right), type: result)
  }

  /// Returns a text literal as another type, or `nil` if it is invalid.
  private func convert(_ literal: String, to type: FakeSoQLType) -> FakeSoQLValue? {
    switch type {
    case .number: FakeSoQLNumber.value(literal).map(FakeSoQLValue.number)
    case .floating: FakeSoQLTime.micros(literal, isFixed: false).map(FakeSoQLValue.time)
    case .fixed: FakeSoQLTime.micros(literal, isFixed: true).map(FakeSoQLValue.time)
    case .id: executor.options.ids.number(literal).map(FakeSoQLValue.hidden)
    case .version: executor.options.versions.number(literal).map(FakeSoQLValue.hidden)
    case .boolean: literal == "true" ? .boolean(true) : literal == "false" ? .boolean(false) : nil
    case .point: FakeSoQLShapeReader.place(literal).map(FakeSoQLValue.place)
    case .shape: FakeSoQLShapeReader.polygons(literal).map(FakeSoQLValue.shape)
    case .text, .location, .null, .other: nil
    }
  }

  private func logic(
    _ name: String, _ arguments: [FakeSoQLTyped], at offset: Int?
  ) throws(FakeSoQLError) -> FakeSoQLTyped {
    guard arguments.count == 2 else {
      return try unary("op$\(name)", arguments, .boolean, gives: .boolean, at: offset) { value in
        guard case .boolean(let isTrue) = value else { return .null }
        return .boolean(!isTrue)
      }
    }
    // In three-valued logic, null and false is false, and null or true is true.
    let decisive = FakeSoQLValue.boolean(name == "or")
    return try binary("op$\(name)", arguments, .boolean, gives: .boolean, at: offset) {
      left, right in
      if left == decisive || right == decisive { return decisive }
      if left.isNull || right.isNull { return .null }
      return .boolean(name == "and")
    }
  }

  private func comparison(
    _ sign: String, _ left: FakeSoQLTyped, _ right: FakeSoQLTyped, at offset: Int?
  ) throws(FakeSoQLError) -> FakeSoQLTyped {
    let type = left.literal == nil && left.type != .null ? left.type : right.type
    let isHolding: @Sendable (Int) -> Bool =
      switch sign {
      case "=": { $0 == 0 }
      case "!=": { $0 != 0 }
      case "<": { $0 < 0 }
      case "<=": { $0 <= 0 }
      case ">": { $0 > 0 }
      default: { $0 >= 0 }
      }
    let isCaseBlind = executor.isCaseBlind
    let typed = try binary("op$\(sign)", [left, right], type, gives: .boolean, at: offset) {
      left, right in
      var (left, right) = (left, right)
      if isCaseBlind, let one = left.text, let other = right.text {
        (left, right) = (.text(one.lowercased()), .text(other.lowercased()))
      }
      return FakeSoQLValue.order(left, right).map { .boolean(isHolding($0)) } ?? .null
    }
    guard type.isOrdered || (type == .point && (sign == "=" || sign == "!=")) else {
      throw .mismatch("op$\(sign)", type, at: offset)
    }
    return typed
  }

  private func arithmetic(
    _ sign: String, _ arguments: [FakeSoQLTyped], at offset: Int?
  ) throws(FakeSoQLError) -> FakeSoQLTyped {
    try binary("op$\(sign)", arguments, .number, gives: .number, at: offset) { left, right in
      guard let one = left.number, let other = right.number else { return .null }
      let result =
        switch sign {
        case "+": one + other
        case "-": one - other
        case "*": one * other
        case "/": one / other
        case "%": one.truncatingRemainder(dividingBy: other)
        default: Self.power(one, other)
        }
      return result.isFinite ? .number(result) : .null
    }
  }

  /// Returns an integral power, or NaN for any other, which the fake doesn't support.
  private static func power(_ base: Double, _ exponent: Double) -> Double {
    guard exponent == exponent.rounded(), abs(exponent) <= 64 else { return .nan }
    let product = (0..<Int(abs(exponent))).reduce(1.0) { product, _ in product * base }
    return exponent < 0 ? 1 / product : product
  }
}
