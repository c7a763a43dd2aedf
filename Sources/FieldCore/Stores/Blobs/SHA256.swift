/// SHA-256 (FIPS 180-4), which names blobs by their content.
package enum SHA256 {
  /// Returns the 32 bytes of the digest.
  package static func digest(of bytes: [UInt8]) -> [UInt8] {
    var parts = [bytes]
    return digest(ofParts: { parts.popLast() ?? [] })
  }

  /// Returns the digest of bytes that are read in parts.
  ///
  /// - Parameter next: Returns the next part. The first one that is empty, or whose size isn't a
  ///   multiple of 64 bytes, is the last. So the reads behind it must be complete, as those of a
  ///   ``FileSystem`` are, which are shorter only at the end of the file.
  static func digest<Failure>(
    ofParts next: () throws(Failure) -> [UInt8]
  ) throws(Failure) -> [UInt8] {
    var state = initial
    var schedule = [UInt32](repeating: 0, count: 64)
    var count = 0
    var rest: [UInt8] = []
    repeat {
      let part = try next()
      count += part.count
      let whole = part.count & ~63
      for start in stride(from: 0, to: whole, by: 64) { add(part, start, &schedule, &state) }
      rest = Array(part[whole...])
      if part.isEmpty { break }
    } while rest.isEmpty

    rest.append(0x80)
    while rest.count % 64 != 56 { rest.append(0) }
    let bits = UInt64(count) * 8
    for shift in stride(from: 56, through: 0, by: -8) {
      rest.append(UInt8(truncatingIfNeeded: bits >> UInt64(shift)))
    }
    for start in stride(from: 0, to: rest.count, by: 64) { add(rest, start, &schedule, &state) }

    return state.flatMap { word in
      stride(from: 24, through: 0, by: -8).map { UInt8(truncatingIfNeeded: word >> UInt32($0)) }
    }
  }

  /// Adds a block of 64 bytes.
  private static func add(
    _ bytes: [UInt8], _ start: Int, _ schedule: inout [UInt32], _ state: inout [UInt32]
  ) {
    for word in 0..<16 {
      let place = start + 4 * word
      schedule[word] =
        UInt32(bytes[place]) &<< 24 | UInt32(bytes[place + 1]) &<< 16
        | UInt32(bytes[place + 2]) &<< 8 | UInt32(bytes[place + 3])
    }
    for word in 16..<64 {
      let early = schedule[word - 15]
      let late = schedule[word - 2]
      let sigma0 = rotate(early, 7) ^ rotate(early, 18) ^ (early &>> 3)
      let sigma1 = rotate(late, 17) ^ rotate(late, 19) ^ (late &>> 10)
      schedule[word] = schedule[word - 16] &+ sigma0 &+ schedule[word - 7] &+ sigma1
    }
    var (a, b, c, d) = (state[0], state[1], state[2], state[3])
    var (e, f, g, h) = (state[4], state[5], state[6], state[7])
    for round in 0..<64 {
      let sum1 = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)
      let choice = (e & f) ^ (~e & g)
      let first = h &+ sum1 &+ choice &+ constants[round] &+ schedule[round]
      let sum0 = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)
      let majority = (a & b) ^ (a & c) ^ (b & c)
      (h, g, f, e) = (g, f, e, d &+ first)
      (d, c, b, a) = (c, b, a, first &+ sum0 &+ majority)
    }
    for (place, value) in [a, b, c, d, e, f, g, h].enumerated() { state[place] &+= value }
  }

  private static func rotate(_ value: UInt32, _ count: UInt32) -> UInt32 {
    value &>> count | value &<< (32 &- count)
  }

  private static let primes: [UInt32] = {
    var primes: [UInt32] = []
    var next: UInt32 = 2
    while primes.count < 64 {
      if primes.allSatisfy({ next % $0 != 0 }) { primes.append(next) }
      next += 1
    }
    return primes
  }()

  /// The first 32 bits of the fractional parts of the square roots of the first eight primes.
  private static let initial = primes.prefix(8).map { fraction(of: Double($0).squareRoot()) }

  /// The same for the cube roots of the first 64 primes, in integer arithmetic: the root of p ·
  /// 2^96 has 32 fractional bits, which exceeds what `Double` guarantees.
  private static let constants = primes.map { prime in
    var low: UInt64 = 0
    var high: UInt64 = 8 << 32
    while high - low > 1 {
      let middle = (low + high) / 2
      if isCube(of: middle, below: prime) { low = middle } else { high = middle }
    }
    return UInt32(truncatingIfNeeded: low)
  }

  private static func fraction(of value: Double) -> UInt32 {
    UInt32((value - value.rounded(.down)) * 4_294_967_296)
  }

  /// Whether (root / 2^32)³ < prime, for a root below 2^35; a prime has no whole root.
  private static func isCube(of root: UInt64, below prime: UInt32) -> Bool {
    let square = root.multipliedFullWidth(by: root)  // below 2^70
    let upper = square.high << 32 | square.low >> 32  // the square without its last 32 bits
    let rest = (square.low & 0xFFFF_FFFF).multipliedFullWidth(by: root)
    let cube = upper.multipliedFullWidth(by: root)  // with the rest: the cube without 32 bits
    let isCarried = cube.low.addingReportingOverflow(rest.high << 32 | rest.low >> 32).overflow
    return cube.high + (isCarried ? 1 : 0) < UInt64(prime)
  }
}
