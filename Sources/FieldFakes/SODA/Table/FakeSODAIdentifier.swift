/// A coder of row numbers: `row-xxxx-xxxx_xxxx`, and `rv-…` for versions.
///
/// 64 bits make three groups of four characters of five bits each, and two separators of two bits
/// each (Socrata's `LongFormatter` and `Quadifier`). Before that, the number passes through a
/// permutation, a Feistel network, so that the order of texts reveals nothing about the order of
/// numbers.
struct FakeSODAIdentifier: Sendable {
  let prefix: String
  let seed: UInt64

  private static let alphabet = Array("23456789abcdefghijkmnpqrstuvwxyz".utf8)
  private static let separators = Array("-._~".utf8)

  func text(_ number: Int64) -> String {
    var bits = encrypt(UInt64(bitPattern: number))
    var bytes = Array(prefix.utf8)
    for group in 0..<3 {
      for _ in 0..<4 {
        bytes.append(Self.alphabet[Int(bits & 31)])
        bits >>= 5
      }
      if group < 2 {
        bytes.append(Self.separators[Int(bits & 3)])
        bits >>= 2
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  func number(_ text: String) -> Int64? {
    let bytes = Array(text.utf8)
    guard text.hasPrefix(prefix), bytes.count == prefix.utf8.count + 14 else { return nil }
    var bits: UInt64 = 0
    var shift: UInt64 = 0
    for (index, byte) in bytes.dropFirst(prefix.utf8.count).enumerated() {
      let isSeparator = index == 4 || index == 9
      guard let value = (isSeparator ? Self.separators : Self.alphabet).firstIndex(of: byte)
      else { return nil }
      bits |= UInt64(value) << shift
      shift += isSeparator ? 2 : 5
    }
    return Int64(bitPattern: decrypt(bits))
  }

  private func encrypt(_ value: UInt64) -> UInt64 {
    var (left, right) = (UInt32(truncatingIfNeeded: value >> 32), UInt32(truncatingIfNeeded: value))
    for round in UInt64(0)..<6 { (left, right) = (right, left ^ mixed(right, round)) }
    return UInt64(left) << 32 | UInt64(right)
  }

  private func decrypt(_ value: UInt64) -> UInt64 {
    var (left, right) = (UInt32(truncatingIfNeeded: value >> 32), UInt32(truncatingIfNeeded: value))
    for round in (UInt64(0)..<6).reversed() { (left, right) = (right ^ mixed(left, round), left) }
    return UInt64(left) << 32 | UInt64(right)
  }

  private func mixed(_ half: UInt32, _ round: UInt64) -> UInt32 {
    let value = UInt64(half) &+ (seed &+ round) &* 0x9E37_79B9_7F4A_7C15
    return UInt32(truncatingIfNeeded: value.mixed)
  }
}
