/// A decoder of DEFLATE (RFC 1951), whose output has a known length.
///
/// It never writes more than that, whatever the input says, and takes time in linear relation to input and output.
package struct Inflater {
  /// The reason why bytes couldn't be decoded.
  package enum Failure: Error, Equatable {
    /// The input ends in the middle.
    case cut
    /// The output has another length than expected.
    case length
    /// The input breaks the rules of the format.
    case invalid
  }

  private var literals = HuffmanTable(width: 11, codes: 288)
  private var distances = HuffmanTable(width: 8, codes: 32)
  private var codes = HuffmanTable(width: 7, codes: 19)
  private var lengths = [UInt8](repeating: 0, count: 320)
  private var input: BitReader
  /// The number of bytes that have been written.
  private var written = 0

  /// Decodes a stream.
  ///
  /// - Parameters:
  ///   - source: The stream; bytes after its end are ignored.
  ///   - count: The length of the decoded bytes.
  package static func bytes(
    _ source: Span<UInt8>, count: Int
  ) throws(Failure) -> [UInt8] {
    var failure: Failure?
    let bytes = unsafe source.withUnsafeBufferPointer { source in
      unsafe [UInt8](unsafeUninitializedCapacity: count) { output, size in
        var inflater = Inflater()
        do throws(Failure) {
          unsafe try inflater.run(source, output)
          size = inflater.written
        } catch {
          failure = error
        }
      }
    }
    if let failure { throw failure }
    guard bytes.count == count else { throw .length }
    return bytes
  }

  private init() { input = BitReader() }

  private mutating func run(
    _ source: UnsafeBufferPointer<UInt8>, _ output: UnsafeMutableBufferPointer<UInt8>
  ) throws(Failure) {
    var isLast = false
    while !isLast {
      unsafe input.refill(source)
      isLast = input.take(1) == 1
      switch input.take(2) {
      case 0: unsafe try copyStored(source, output)
      case 1:
        guard fillFixed() else { throw .invalid }
        unsafe try decode(source, output)
      case 2:
        unsafe try readCodes(source)
        unsafe try decode(source, output)
      default: throw input.isPastEnd ? .cut : .invalid
      }
      if input.isPastEnd { throw .cut }
    }
  }

  private mutating func copyStored(
    _ source: UnsafeBufferPointer<UInt8>, _ output: UnsafeMutableBufferPointer<UInt8>
  ) throws(Failure) {
    let start = input.alignedPosition
    guard start <= source.count - 4 else { throw .cut }
    let count = unsafe Int(source[start]) | Int(source[start + 1]) << 8
    let inverse = unsafe Int(source[start + 2]) | Int(source[start + 3]) << 8
    guard count ^ inverse == 0xFFFF else { throw .invalid }
    guard count <= source.count - start - 4 else { throw .cut }
    guard count <= output.count - written else { throw .length }
    for place in 0..<count { unsafe output[written &+ place] = source[start &+ 4 &+ place] }
    written += count
    input = BitReader(at: start + 4 + count)
  }

  // MARK: Codes

  private mutating func fillFixed() -> Bool {
    for symbol in 0..<288 {
      lengths[symbol] = symbol < 144 ? 8 : symbol < 256 ? 9 : symbol < 280 ? 7 : 8
    }
    for symbol in 288..<320 { lengths[symbol] = 5 }
    return literals.fill(lengths[..<288], Self.literal)
      && distances.fill(lengths[288...], Self.distance)
  }

  private mutating func readCodes(_ source: UnsafeBufferPointer<UInt8>) throws(Failure) {
    unsafe input.refill(source)
    let literalCount = Int(input.take(5)) + 257
    let distanceCount = Int(input.take(5)) + 1
    let codeCount = Int(input.take(4)) + 4
    guard literalCount <= 286, distanceCount <= 30 else {
      throw input.isPastEnd ? .cut : .invalid
    }
    for place in 0..<19 { lengths[place] = 0 }
    for place in 0..<codeCount {
      unsafe input.refill(source)
      lengths[Int(Self.order[place])] = UInt8(input.take(3))
    }
    guard !input.isPastEnd else { throw .cut }
    guard codes.fill(lengths[..<19], { UInt32($0) << 16 | HuffmanTable.literal }) else {
      throw .invalid
    }
    let total = literalCount + distanceCount
    var place = 0
    while place < total {
      unsafe input.refill(source)
      let entry = codes.entries[Int(input.bits & 0x7F)]
      guard entry != 0 else { throw input.isPastEnd ? .cut : .invalid }
      input.drop(Int(entry & 0xFF))
      let symbol = UInt8(truncatingIfNeeded: entry >> 16)
      var (value, repeats) = (symbol, 1)
      switch symbol {
      case 16:
        guard place > 0 else { throw .invalid }
        (value, repeats) = (lengths[place - 1], 3 + Int(input.take(2)))
      case 17: (value, repeats) = (0, 3 + Int(input.take(3)))
      case 18: (value, repeats) = (0, 11 + Int(input.take(7)))
      default: break
      }
      guard !input.isPastEnd else { throw .cut }
      guard repeats <= total - place else { throw .invalid }
      for offset in 0..<repeats { lengths[place + offset] = value }
      place += repeats
    }
    // A block without an end can't be decoded.
    guard lengths[256] > 0, literals.fill(lengths[..<literalCount], Self.literal),
      distances.fill(lengths[literalCount..<total], Self.distance)
    else { throw .invalid }
  }

  /// The order in which the lengths of the codes for lengths are stored.
  private static let order: [UInt8] = [
    16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15,
  ]

  private static func literal(_ symbol: Int) -> UInt32 {
    if symbol < 256 { return UInt32(symbol) << 16 | HuffmanTable.literal }
    if symbol == 256 { return HuffmanTable.end }
    if symbol == 285 { return 258 << 16 }
    // 286 and 287 are in the fixed code, but mean nothing.
    if symbol > 285 { return HuffmanTable.end | 1 << 16 }
    if symbol < 265 { return UInt32(symbol - 254) << 16 }
    let extra = (symbol - 261) >> 2
    return UInt32(3 + (4 + (symbol - 261) & 3) << extra) << 16 | UInt32(extra) << 8
  }

  private static func distance(_ symbol: Int) -> UInt32 {
    if symbol < 4 { return UInt32(symbol + 1) << 16 }
    if symbol > 29 { return HuffmanTable.end | 1 << 16 }
    let extra = symbol >> 1 - 1
    return UInt32(1 + (2 + symbol & 1) << extra) << 16 | UInt32(extra) << 8
  }

  // MARK: Blocks

  private mutating func decode(
    _ source: UnsafeBufferPointer<UInt8>, _ output: UnsafeMutableBufferPointer<UInt8>
  ) throws(Failure) {
    // Local copies stay in registers.
    var (reader, place) = (input, written)
    let failure = unsafe literals.entries.withUnsafeBufferPointer { literals in
      unsafe distances.entries.withUnsafeBufferPointer { distances in
        unsafe Self.decode(&reader, &place, source, output, literals, distances)
      }
    }
    (input, written) = (reader, place)
    if let failure { throw failure }
  }

  private static func decode(
    _ input: inout BitReader, _ written: inout Int,
    _ source: UnsafeBufferPointer<UInt8>, _ output: UnsafeMutableBufferPointer<UInt8>,
    _ literals: UnsafeBufferPointer<UInt32>, _ distances: UnsafeBufferPointer<UInt32>
  ) -> Failure? {
    var reader = input
    var out = written
    defer { (input, written) = (reader, out) }
    while true {
      unsafe reader.refill(source)
      var entry = unsafe literals[Int(reader.bits & 0x7FF)]
      // 56 bits are there: enough for two literals, and then for a literal or the length of a match.
      if entry & HuffmanTable.literal != 0, out &+ 2 < output.count {
        reader.drop(Int(entry & 0xFF))
        unsafe output[out] = UInt8(truncatingIfNeeded: entry &>> 16)
        out &+= 1
        entry = unsafe literals[Int(reader.bits & 0x7FF)]
        if entry & HuffmanTable.literal != 0 {
          reader.drop(Int(entry & 0xFF))
          unsafe output[out] = UInt8(truncatingIfNeeded: entry &>> 16)
          out &+= 1
        }
        if reader.isPastEnd { return .cut }
        continue
      }
      if entry & HuffmanTable.link != 0 {
        reader.drop(Int(entry & 0xFF))
        let mask = UInt64(1) &<< UInt64(entry &>> 8 & 0x1F) &- 1
        entry = unsafe literals[Int(entry &>> 16) &+ Int(reader.bits & mask)]
      }
      reader.drop(Int(entry & 0xFF))
      if reader.isPastEnd { return .cut }
      if entry & HuffmanTable.literal != 0 {
        guard out < output.count else { return .length }
        unsafe output[out] = UInt8(truncatingIfNeeded: entry &>> 16)
        out &+= 1
        continue
      }
      if entry & HuffmanTable.end != 0 { return entry &>> 16 == 0 ? nil : .invalid }
      guard entry != 0 else { return .invalid }
      let length = Int(entry &>> 16) &+ Int(reader.take(Int(entry &>> 8 & 0x1F)))
      entry = unsafe distances[Int(reader.bits & 0xFF)]
      if entry & HuffmanTable.link != 0 {
        reader.drop(Int(entry & 0xFF))
        let mask = UInt64(1) &<< UInt64(entry &>> 8 & 0x1F) &- 1
        entry = unsafe distances[Int(entry &>> 16) &+ Int(reader.bits & mask)]
      }
      reader.drop(Int(entry & 0xFF))
      let distance = Int(entry &>> 16) &+ Int(reader.take(Int(entry &>> 8 & 0x1F)))
      if reader.isPastEnd { return .cut }
      guard entry != 0, entry & HuffmanTable.end == 0, distance <= out else { return .invalid }
      guard length <= output.count &- out else { return .length }
      unsafe copy(length, from: distance, to: out, output)
      out &+= length
    }
  }

  /// Copies a match, which may overlap with its copy, and lies within the output.
  @inline(__always)
  private static func copy(
    _ length: Int, from distance: Int, to out: Int, _ output: UnsafeMutableBufferPointer<UInt8>
  ) {
    guard let base = output.baseAddress else { return }
    let target = unsafe UnsafeMutableRawPointer(base + out)
    if distance >= 8, length &+ 8 <= output.count &- out {
      // Up to seven bytes too many are written, which later output replaces.
      var done = 0
      while done < length {
        let word = unsafe target.loadUnaligned(
          fromByteOffset: done &- distance, as: UInt64.self)
        unsafe target.storeBytes(of: word, toByteOffset: done, as: UInt64.self)
        done &+= 8
      }
    } else {
      for place in out..<out &+ length { unsafe output[place] = output[place &- distance] }
    }
  }
}

/// A reader of bits, the lowest of a byte first.
struct BitReader {
  /// The next bits, from the lowest.
  private(set) var bits: UInt64 = 0
  /// The number of valid bits.
  private var count = 0
  /// The position of the byte to read next.
  private var position: Int
  /// The number of bytes of zeros that stand for those after the end.
  private var missing = 0

  init(at position: Int = 0) { self.position = position }

  /// Reads until at least 56 bits are there.
  @inline(__always)
  mutating func refill(_ source: UnsafeBufferPointer<UInt8>) {
    if let base = source.baseAddress, position &+ 8 <= source.count {
      let word = unsafe UnsafeRawPointer(base).loadUnaligned(
        fromByteOffset: position, as: UInt64.self)
      bits |= UInt64(littleEndian: word) &<< UInt64(truncatingIfNeeded: count)
      position &+= (63 &- count) &>> 3
      count |= 56
    } else {
      unsafe refillSlowly(source)
    }
  }

  @inline(never)
  private mutating func refillSlowly(_ source: UnsafeBufferPointer<UInt8>) {
    while count < 56 {
      if position < source.count {
        unsafe bits |= UInt64(source[position]) << UInt64(count)
        position += 1
      } else {
        missing += 1
      }
      count += 8
    }
  }

  /// A Boolean value that indicates whether bits after the end have been used.
  @inline(__always)
  var isPastEnd: Bool { missing &<< 3 > count }

  @inline(__always)
  mutating func drop(_ length: Int) {
    bits = bits &>> UInt64(truncatingIfNeeded: length)
    count &-= length
  }

  /// Removes up to 32 bits, which must be there.
  @inline(__always)
  mutating func take(_ length: Int) -> UInt64 {
    let value = bits & (1 &<< UInt64(truncatingIfNeeded: length) &- 1)
    drop(length)
    return value
  }

  /// The position of the first byte that hasn't been used, not even in part.
  var alignedPosition: Int { position + missing - count >> 3 }
}
