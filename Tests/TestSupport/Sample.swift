internal import Foundation

/// The part of a long test that a run tries.
///
/// A test of thousands of cases tries a few of them, which the seed of the run chooses: each run tries
/// others, and an optimized one may try more in the same time. A run prints its seed, and `FIELDKIT_SEED=… swift test` tries the same again. With
/// `FIELDKIT_LONG=1`, every test tries all values; see `Scripts/Checks/long-tests.sh`.
public enum Sample {
  /// A Boolean value that indicates whether every test tries all that it can.
  public static let isWhole = ProcessInfo.processInfo.environment["FIELDKIT_LONG"] == "1"

  /// A Boolean value that indicates whether the tests are built for release, as in the second run of the gate.
  public static let isOptimized: Bool = {
    #if DEBUG
      false
    #else
      true
    #endif
  }()

  /// The seed of the run.
  public static let runSeed: UInt64 = {
    let given = ProcessInfo.processInfo.environment["FIELDKIT_SEED"].flatMap { UInt64($0) }
    let seed = given ?? .random(in: 1...999_999)
    print("The samples of this run are those of FIELDKIT_SEED=\(seed).")
    return seed
  }()

  /// Returns a seed of the run for one place in the source code.
  public static func seed(file: String = #fileID, line: Int = #line) -> UInt64 {
    // FNV-1a, since the hash values of the standard library change from process to process.
    "\(file):\(line)".utf8.reduce(runSeed &+ 0xCBF2_9CE4_8422_2325) {
      ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01B3
    }
  }

  /// Returns the number of rounds that a test makes: in the long form, in others, and in those of debug builds.
  public static func rounds(_ all: Int, _ few: Int, inDebug fewest: Int? = nil) -> Int {
    isWhole ? all : isOptimized ? few : fewest ?? few
  }

  /// Returns some elements of a collection in their order, one of each stretch of it.
  ///
  /// - Parameters:
  ///   - all: What the test can try.
  ///   - count: The number of elements to return. The long form returns all. Defaults to all.
  ///   - fewest: The number in debug builds. Defaults to `count`.
  public static func of<All: Collection>(
    _ all: All, _ count: Int? = nil, inDebug fewest: Int? = nil, file: String = #fileID,
    line: Int = #line
  ) -> [All.Element] {
    let size = all.count
    let count = rounds(size, count ?? size, inDebug: fewest)
    guard !isWhole, size > count else { return Array(all) }
    var chance = SeededGenerator(seed: seed(file: file, line: line))
    return (0..<count).map { stretch in
      let place = Int.random(
        in: size * stretch / count..<size * (stretch + 1) / count, using: &chance)
      return all[all.index(all.startIndex, offsetBy: place)]
    }
  }

  /// Returns rising numbers without an end, for a test that finds out on its way how far to go.
  ///
  /// - Parameters:
  ///   - first: Where the numbers begin. The long form has every number from there.
  ///   - distance: The mean distance between the numbers.
  ///   - largest: The mean distance in debug builds. Defaults to `distance`.
  public static func steps(
    from first: Int, apart distance: Int, inDebug largest: Int? = nil, file: String = #fileID,
    line: Int = #line
  ) -> some Sequence<Int> {
    let distance = rounds(1, distance, inDebug: largest)
    var chance = SeededGenerator(seed: seed(file: file, line: line))
    return sequence(first: first) { last in
      last + (isWhole ? 1 : Int.random(in: 1..<2 * distance, using: &chance))
    }
  }

  /// Returns lines of a text that follow each other, and those of the beginning after the last.
  ///
  /// - Parameters:
  ///   - bytes: The text.
  ///   - count: The number of lines to return. The long form returns all.
  ///   - hasHeader: Pass `true` to have the first line before the others.
  public static func lines(
    of bytes: [UInt8], _ count: Int, hasHeader: Bool = false, file: String = #fileID,
    line: Int = #line
  ) -> [UInt8] {
    guard !isWhole else { return bytes }
    var chance = SeededGenerator(seed: seed(file: file, line: line))
    func end(_ place: Int) -> Int { (bytes[place...].firstIndex(of: 0x0A) ?? bytes.count - 1) + 1 }
    let start = hasHeader ? end(0) : 0
    var lines = Array(bytes[..<start])
    var place = end(.random(in: start..<bytes.count, using: &chance))
    for _ in 0..<count {
      if place >= bytes.count { place = start }
      let next = end(place)
      lines += bytes[place..<next]
      if lines.last != 0x0A { lines.append(0x0A) }
      place = next
    }
    return lines
  }
}
