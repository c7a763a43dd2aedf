extension FakeSoQLChecker {
  /// Resolves `coalesce`, `case`, `iif`, `nullif`, `greatest`, and `least`; returns `nil` for other
  /// names.
  func conditional(
    _ name: String, _ arguments: [FakeSoQLTyped], at offset: Int?
  ) throws(FakeSoQLError) -> FakeSoQLTyped? {
    switch (name, arguments.count) {
    case ("coalesce", 1...), ("greatest", 1...), ("least", 1...):
      let (nodes, type) = try same(arguments, of: name, at: offset)
      let node = FakeSoQLNode.call(
        { values in
          let values = values.filter { !$0.isNull }
          if name == "coalesce" { return values.first ?? .null }
          return values.reduce(.null) { best, value in
            guard let order = FakeSoQLValue.order(value, best) else { return value }
            return (name == "least" ? order < 0 : order > 0) ? value : best
          }
        }, nodes)
      return FakeSoQLTyped(node: node, type: type)
    case ("case", 2...) where arguments.count % 2 == 0, ("iif", 3):
      let isCase = name == "case"
      let conditions = arguments.indices.filter { $0 % 2 == 0 && (isCase || $0 == 0) }
      let results = arguments.indices.filter { !conditions.contains($0) }
      let (values, type) = try same(results.map { arguments[$0] }, of: name, at: offset)
      var nodes: [FakeSoQLNode] = []
      for index in conditions {
        nodes.append(try argument(arguments[index], .boolean, of: name, at: offset))
      }
      let count = nodes.count
      let node = FakeSoQLNode.call(
        { all in
          if let hit = all.prefix(count).firstIndex(where: \.isTrue) { return all[count + hit] }
          return isCase ? .null : all[count + 1]
        }, nodes + values)
      return FakeSoQLTyped(node: node, type: type)
    case ("nullif", 2):
      let type = Self.commonType(arguments)
      return try binary(name, arguments, type, gives: type, at: offset) { left, right in
        FakeSoQLValue.order(left, right) == 0 ? .null : left
      }
    default: return nil
    }
  }

  private func same(
    _ arguments: [FakeSoQLTyped], of name: String, at offset: Int?
  ) throws(FakeSoQLError) -> ([FakeSoQLNode], FakeSoQLType) {
    let type = Self.commonType(arguments)
    var nodes: [FakeSoQLNode] = []
    for typed in arguments { nodes.append(try argument(typed, type, of: name, at: offset)) }
    return (nodes, type)
  }

  private static func commonType(_ arguments: [FakeSoQLTyped]) -> FakeSoQLType {
    (arguments.first { $0.literal == nil && $0.type != .null } ?? arguments[0]).type
  }

  /// Resolves functions of text and numbers, and casts; returns `nil` for other names.
  func textFunction(
    _ name: String, _ arguments: [FakeSoQLTyped], at offset: Int?
  ) throws(FakeSoQLError) -> FakeSoQLTyped? {
    let isCaseBlind = executor.isCaseBlind
    switch (name, arguments.count) {
    case ("starts_with", 2), ("contains", 2), ("like", 2), ("not like", 2), ("caseless_eq", 2),
      ("caseless_contains", 2), ("caseless_starts_with", 2), ("||", 2):
      let result: FakeSoQLType = name == "||" ? .text : .boolean
      return try binary(name, arguments, .text, gives: result, at: offset) { left, right in
        guard var one = left.text, var other = right.text else { return .null }
        if name == "||" { return .text(one + other) }
        if isCaseBlind || name.hasPrefix("caseless_") {
          (one, other) = (one.lowercased(), other.lowercased())
        }
        switch name {
        case "starts_with", "caseless_starts_with":
          return .boolean(one.utf8.starts(with: other.utf8))
        case "contains", "caseless_contains":
          return .boolean(other.isEmpty || Array(one.utf8).firstRange(of: Array(other.utf8)) != nil)
        case "caseless_eq": return .boolean(one.utf8.elementsEqual(other.utf8))
        default:
          let isLike = Self.isLike(Array(one.unicodeScalars), Array(other.unicodeScalars))
          return .boolean(isLike == (name == "like"))
        }
      }
    case ("upper", 1), ("lower", 1), ("length", 1):
      let result: FakeSoQLType = name == "length" ? .number : .text
      return try unary(name, arguments, .text, gives: result, at: offset) { value in
        guard let text = value.text else { return .null }
        switch name {
        case "upper": return .text(text.uppercased())
        case "lower": return .text(text.lowercased())
        default: return .number(Double(text.unicodeScalars.count))
        }
      }
    case ("abs", 1), ("floor", 1), ("ceil", 1):
      return try unary(name, arguments, .number, gives: .number, at: offset) { value in
        guard let number = value.number else { return .null }
        return .number(name == "abs" ? abs(number) : number.rounded(name == "floor" ? .down : .up))
      }
    case ("cast number", 1), ("to_number", 1):
      if arguments[0].type == .number { return arguments[0] }
      return try unary(name, arguments, .text, gives: .number, at: offset) { value in
        value.text.flatMap(FakeSoQLNumber.value).map { .number($0) } ?? .null
      }
    case ("cast text", 1):
      let type = arguments[0].type
      return try unary(name, arguments, type, gives: .text, at: offset) { value in
        value.cell(type).keyText.map { .text($0) } ?? .null
      }
    case ("cast floating_timestamp", 1), ("cast fixed_timestamp", 1):
      let type: FakeSoQLType = name == "cast fixed_timestamp" ? .fixed : .floating
      let node = try argument(arguments[0], type, of: name, at: offset)
      return FakeSoQLTyped(node: node, type: type)
    default: return nil
    }
  }

  /// Resolves functions of locations; returns `nil` for other names. Circles and boxes take the
  /// latitude first, shapes the longitude.
  func geoFunction(
    _ name: String, _ arguments: [FakeSoQLTyped], at offset: Int?
  ) throws(FakeSoQLError) -> FakeSoQLTyped? {
    switch (name, arguments.count) {
    case ("within_circle", 4), ("within_box", 5):
      guard arguments[0].type == .point || arguments[0].type == .location else {
        throw .mismatch(name, arguments[0].type, at: offset)
      }
      var nodes = [arguments[0].node]
      for typed in arguments.dropFirst() {
        nodes.append(try argument(typed, .number, of: name, at: offset))
      }
      let node = FakeSoQLNode.call(
        { values in
          let numbers = values.dropFirst().compactMap(\.number)
          guard case .place(let place) = values[0], numbers.count == values.count - 1 else {
            return .null
          }
          if name == "within_circle" {
            let center = FakeSoQLPlace(longitude: numbers[1], latitude: numbers[0])
            return place.meters(to: center).map { .boolean($0 <= numbers[2]) } ?? .null
          }
          let isWithin =
            place.latitude <= numbers[0] && place.latitude >= numbers[2]
            && place.longitude >= numbers[1] && place.longitude <= numbers[3]
          return .boolean(isWithin)
        }, nodes)
      return FakeSoQLTyped(node: node, type: .boolean)
    case ("within_polygon", 2), ("intersects", 2):
      return try binary(name, arguments, .point, .shape, gives: .boolean, at: offset) {
        place, shape in
        guard case .place(let place) = place, case .shape(let polygons) = shape else {
          return .null
        }
        return .boolean(polygons.contains { $0.contains(place) })
      }
    case ("distance_in_meters", 2):
      return try binary(name, arguments, .point, gives: .number, at: offset) { from, to in
        guard case .place(let from) = from, case .place(let to) = to else { return .null }
        return from.meters(to: to).map { .number($0) } ?? .null
      }
    case ("make_point", 2):
      return try binary(name, arguments, .number, gives: .point, at: offset) { left, right in
        guard let latitude = left.number, let longitude = right.number else { return .null }
        return .place(FakeSoQLPlace(longitude: longitude, latitude: latitude))
      }
    default: return nil
    }
  }

  /// Resolves functions of dates; returns `nil` for other names.
  func timeFunction(
    _ name: String, _ arguments: [FakeSoQLTyped], at offset: Int?
  ) throws(FakeSoQLError) -> FakeSoQLTyped? {
    if name == "get_utc_date", arguments.isEmpty {
      return FakeSoQLTyped(node: .constant(.time(executor.now)), type: .fixed)
    }
    if name == "date_diff_d", arguments.count == 2 {
      let type: FakeSoQLType = arguments.contains { $0.type == .fixed } ? .fixed : .floating
      return try binary(name, arguments, type, gives: .number, at: offset) { left, right in
        guard case .time(let one) = left, case .time(let other) = right else { return .null }
        return .number(Double((one - other) / 86_400_000_000))
      }
    }
    guard arguments.count == 1 else { return nil }
    for (prefix, type) in [("date_trunc_", FakeSoQLType.floating), ("datez_trunc_", .fixed)]
    where name.hasPrefix(prefix) {
      let unit = String(name.dropFirst(prefix.count))
      guard ["y", "ym", "ymd"].contains(unit) else { return nil }
      return try unary(name, arguments, type, gives: type, at: offset) { value in
        guard case .time(let micros) = value else { return .null }
        let parts = FakeSoQLTime.parts(micros)
        let truncated = FakeSoQLTime.Parts(
          year: parts.year, month: unit == "y" ? 1 : parts.month,
          day: unit == "ymd" ? parts.day : 1)
        return .time(FakeSoQLTime.micros(truncated))
      }
    }
    guard name.hasPrefix("date_extract_") else { return nil }
    let unit = String(name.dropFirst("date_extract_".count))
    guard ["y", "m", "d", "dow", "hh", "mm", "ss"].contains(unit) else { return nil }
    return try unary(name, arguments, .floating, gives: .number, at: offset) { value in
      guard case .time(let micros) = value else { return .null }
      let parts = FakeSoQLTime.parts(micros)
      let number =
        switch unit {
        case "y": parts.year
        case "m": parts.month
        case "d": parts.day
        case "hh": parts.hour
        case "mm": parts.minute
        case "ss": parts.second
        default:  // 1 January 1970 was a Thursday, and Sunday is 0.
          ((FakeSoQLTime.days(parts.year, parts.month, parts.day) + 4) % 7 + 7) % 7
        }
      return .number(Double(number))
    }
  }

  /// Returns whether a text matches a pattern, in which `%` is any text and `_` any character.
  static func isLike(_ text: [Unicode.Scalar], _ pattern: [Unicode.Scalar]) -> Bool {
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
}
