internal import FieldCore

/// A writer that compresses columns of integers by prediction and Rice coding.
///
/// A column is divided into blocks. Each block states how its numbers are predicted (as the last
/// number, or as that plus the last difference) and the parameter k of its codes. A residual is
/// mapped to a nonnegative number, of which the k low bits are written as they are and the rest as
/// that many ones and a zero. That comes close to the noise of the receiver and adapts from block
/// to block.
struct RiceWriter {
  private(set) var bytes: [UInt8] = []
  private var pending: UInt8 = 0
  private var pendingCount = 0

  mutating func write(_ bit: Bool) {
    pending = pending << 1 | (bit ? 1 : 0)
    pendingCount += 1
    if pendingCount == 8 {
      bytes.append(pending)
      (pending, pendingCount) = (0, 0)
    }
  }

  /// Writes the lowest bits of a number, most significant first.
  mutating func write(_ value: UInt64, bits count: Int) {
    for place in (0..<count).reversed() { write(value >> UInt64(place) & 1 == 1) }
  }

  /// Pads the last byte with zeros and returns all bytes.
  consuming func finish() -> [UInt8] {
    while pendingCount > 0 { write(false) }
    return bytes
  }

  mutating func write(_ column: [Int64]) {
    guard let first = column.first else { return }
    write(UInt64(bitPattern: first), bits: 64)
    var state = Prediction(first)
    var rest = column.dropFirst()
    while !rest.isEmpty {
      let block = rest.prefix(Rice.blockLength)
      rest = rest.dropFirst(block.count)
      let choices = Prediction.Order.allCases.map { order in
        var trial = state
        let values = block.map { trial.rest(of: $0, order) }
        return (order, values, Rice.bestParameter(for: values))
      }
      guard let best = choices.min(by: { $0.2.cost < $1.2.cost }) else { return }
      write(best.0 == .slope)
      write(UInt64(best.2.parameter), bits: Rice.parameterBits)
      for value in best.1 { write(rest: value, best.2.parameter) }
      for value in block { state.take(value) }
    }
  }

  private mutating func write(rest value: UInt64, _ parameter: Int) {
    let quotient = value >> UInt64(parameter)
    guard quotient < Rice.escape else {
      write(.max, bits: Int(Rice.escape))
      return write(value, bits: 64)
    }
    for _ in 0..<quotient { write(true) }
    write(false)
    write(value, bits: parameter)
  }
}

/// A reader for the output of a ``RiceWriter``, which never traps or reads out of bounds, whatever
/// the input.
struct RiceReader {
  private let bytes: ArraySlice<UInt8>
  private var position: Int
  private let end: Int

  init(_ bytes: ArraySlice<UInt8>) {
    self.bytes = bytes
    position = bytes.startIndex * 8
    end = bytes.endIndex * 8
  }

  var remainingCount: Int { end - position }

  mutating func bit() throws -> Bool {
    guard position < end else { throw FieldError(.damaged, "A stored route is cut off.") }
    defer { position += 1 }
    return bytes[position >> 3] >> UInt8(7 - position & 7) & 1 == 1
  }

  mutating func bits(_ count: Int) throws -> UInt64 {
    var value: UInt64 = 0
    for _ in 0..<count { value = value << 1 | (try bit() ? 1 : 0) }
    return value
  }

  mutating func column(_ count: Int) throws -> [Int64] {
    // Each number takes at least one bit, so a wrong count can't cause a large allocation.
    guard count <= remainingCount else {
      throw FieldError(.damaged, "A stored route has fewer points than it claims.")
    }
    guard count > 0 else { return [] }
    let first = Int64(bitPattern: try bits(64))
    var column = [first]
    column.reserveCapacity(count)
    var state = Prediction(first)
    while column.count < count {
      let order: Prediction.Order = try bit() ? .slope : .last
      let parameter = Int(try bits(Rice.parameterBits))
      for _ in 0..<min(Rice.blockLength, count - column.count) {
        let value = state.value(from: try rest(parameter), order)
        state.take(value)
        column.append(value)
      }
    }
    return column
  }

  private mutating func rest(_ parameter: Int) throws -> UInt64 {
    var quotient: UInt64 = 0
    while try bit() {
      quotient += 1
      if quotient == Rice.escape { return try bits(64) }
    }
    return quotient << UInt64(parameter) | (try bits(parameter))
  }
}

/// The constants shared by writing and reading.
enum Rice {
  static let blockLength = 64
  static let parameterBits = 6
  /// The number of ones after which a number follows as it is, so that no residual takes more than
  /// 88 bits.
  static let escape: UInt64 = 24

  /// Returns the parameter with the fewest bits near the median; a mean would follow the only jump
  /// in a block.
  static func bestParameter(for values: [UInt64]) -> (parameter: Int, cost: Int) {
    let widths = values.map { UInt64.bitWidth - $0.leadingZeroBitCount }.sorted()
    let median = widths.isEmpty ? 0 : widths[widths.count / 2]
    let candidates = max(median - 3, 0)...min(median + 2, 1 << parameterBits - 1)
    return candidates.map { (parameter: $0, cost: cost(of: values, $0)) }
      .min { $0.cost < $1.cost } ?? (0, .max)
  }

  private static func cost(of values: [UInt64], _ parameter: Int) -> Int {
    values.reduce(0) { cost, value in
      let quotient = value >> UInt64(parameter)
      return cost + (quotient < escape ? Int(quotient) + 1 + parameter : Int(escape) + 64)
    }
  }
}

/// The prediction of a column's next number. All sums wrap, so that damaged bytes can't trap.
struct Prediction {
  enum Order: CaseIterable {
    /// The prediction is the last number.
    case last
    /// The prediction is the last number plus the last difference.
    case slope
  }

  private var last: Int64
  private var slope: Int64 = 0

  init(_ first: Int64) { last = first }

  private func expected(_ order: Order) -> Int64 { order == .slope ? last &+ slope : last }

  /// Returns the residual of a number, mapped so that 0, -1, 1, -2 become 0, 1, 2, 3, and adds the
  /// number.
  mutating func rest(of value: Int64, _ order: Order) -> UInt64 {
    let rest = value &- expected(order)
    take(value)
    return UInt64(bitPattern: (rest << 1) ^ (rest >> 63))
  }

  func value(from rest: UInt64, _ order: Order) -> Int64 {
    expected(order) &+ (Int64(bitPattern: rest >> 1) ^ -Int64(bitPattern: rest & 1))
  }

  mutating func take(_ value: Int64) {
    slope = value &- last
    last = value
  }
}
