/// The states in which a damaged file of records may be found.
package enum FileDamage {
  /// One damaged state of a file.
  package struct Case: Sendable, CustomStringConvertible {
    package var description: String
    /// The content of the file; `nil` if the file is gone.
    package var bytes: [UInt8]?
  }

  /// Returns damaged states of a file: flipped bits, cuts, earlier states, an empty file, and none.
  ///
  /// - Parameters:
  ///   - history: The content of the file after each commit, the oldest first.
  ///   - step: The distance between the bytes that are flipped, and between the cuts.
  ///   - seed: The seed that chooses the bits.
  package static func cases(of history: [[UInt8]], every step: Int, seed: UInt64) -> [Case] {
    guard let whole = history.last else { return [] }
    var chance = SeededGenerator(seed: seed)
    var cases = [
      Case(description: "the file is gone", bytes: nil),
      Case(description: "zeros", bytes: [UInt8](repeating: 0, count: whole.count)),
    ]
    for (number, earlier) in history.dropLast().enumerated() {
      cases.append(Case(description: "the state after commit \(number + 1)", bytes: earlier))
      // An older copy that something was appended to, as by a file system after a loss of power.
      let zeros = [UInt8](repeating: 0, count: 64)
      cases.append(Case(description: "commit \(number + 1) and zeros", bytes: earlier + zeros))
    }
    let first = Int.random(in: 0..<step, using: &chance)
    for place in Swift.stride(from: first, to: whole.count, by: step) {
      var bytes = whole
      let bit = Int.random(in: 0..<8, using: &chance)
      bytes[place] ^= 1 << bit
      cases.append(Case(description: "bit \(bit) of byte \(place), seed \(seed)", bytes: bytes))
      cases.append(
        Case(description: "cut at byte \(place)", bytes: Array(whole.prefix(place))))
    }
    cases.append(Case(description: "empty", bytes: []))
    return cases
  }
}
