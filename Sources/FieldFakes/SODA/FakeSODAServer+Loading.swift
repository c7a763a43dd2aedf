internal import FieldCore
public import FieldFoundation

extension FakeSODAServer {
  /// Adds rows of SODA JSON, an array or a line for each row, as one write.
  ///
  /// `:created_at` and `:updated_at` are kept where a row has them. Its `:id` and `:version` are not:
  /// the server gives its own, in the order of the rows. Keys that are no column are passed over.
  ///
  /// - Returns: The `:id`s, in order.
  /// - Throws: `FieldError` with the code `input.invalid` when a row is no JSON object; nothing
  ///   has been added then.
  @discardableResult
  public func load(json bytes: [UInt8], at date: Date? = nil) throws -> [String] {
    let objects = try Self.objects(bytes)
    let indices = Dictionary(
      columns.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
    let types = columns.map { FakeSoQLType($0.type) }
    return write(at: date) { state, stamp in
      objects.map { members in
        var cells = [Cell](repeating: .null, count: columns.count)
        var (createdAt, updatedAt) = (stamp, stamp)
        for member in members {
          if let index = indices[member.key] {
            cells[index] = Self.cell(member.value, types[index])
          } else if let text = member.value.string,
            let micros = FakeSoQLTime.micros(text, isFixed: true)
          {
            if member.key == ":created_at" { createdAt = micros }
            if member.key == ":updated_at" { updatedAt = micros }
          }
        }
        return add(cells, createdAt: createdAt, updatedAt, &state)
      }
    }
  }

  private static func objects(_ bytes: [UInt8]) throws -> [[FakeJSON.Member]] {
    let space: Set<UInt8> = [0x20, 0x09, 0x0A, 0x0D]
    var values: [FakeJSON?]
    if bytes.first(where: { !space.contains($0) }) == UInt8(ascii: "[") {
      guard case .array(let elements, _) = FakeJSON.read(bytes) else {
        throw FieldError(.invalidInput, "The rows aren't a JSON array.")
      }
      values = elements
    } else {
      values = bytes.split(separator: 0x0A).filter { !$0.allSatisfy(space.contains) }
        .map { FakeJSON.read($0) }
    }
    return try values.enumerated().map { index, value in
      guard case .object(let members, _) = value else {
        throw FieldError(.invalidInput, "Row \(index + 1) isn't a JSON object.")
      }
      return members
    }
  }

  private static func cell(_ value: FakeJSON, _ type: FakeSoQLType) -> Cell {
    switch (value, type) {
    case (.null, _): return .null
    case (.boolean(let value), _): return .checkbox(value)
    case (.string(let text), .floating), (.string(let text), .fixed): return .timestamp(text)
    case (.string(let text), .number), (.number(let text), .number): return .number(text)
    case (.string(let text), _): return .text(text)
    case (.number(let text), _), (.array(_, let text), _): return .json(text)
    case (.object(_, let text), _):
      if value["type"]?.string == "Point", case .array(let numbers, _)? = value["coordinates"],
        numbers.count == 2, let longitude = numbers[0].word.flatMap({ Double($0) }),
        let latitude = numbers[1].word.flatMap({ Double($0) })
      {
        return .point(longitude: longitude, latitude: latitude)
      }
      guard type == .location else { return .json(text) }
      return .location(
        latitude: value["latitude"]?.word, longitude: value["longitude"]?.word,
        humanAddress: value["human_address"]?.string)
    }
  }
}
