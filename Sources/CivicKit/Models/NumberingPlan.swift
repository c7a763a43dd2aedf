/// The rules of Taiwan's telephone numbering plan that decide where a number ends.
///
/// The codes are those of the National Communications Commission: 02 has eight digits behind it, 04
/// eight in Taichung and seven in Changhua, the other areas seven with what their longer code adds to
/// the shorter one, mobile numbers ten digits in all, and so do free (080x) and paid (020x) ones.
/// Numbers of 070 have eleven digits and are not read.
enum NumberingPlan {
  /// How a row of digits relates to the plan.
  enum Fit {
    /// No telephone number.
    case none
    /// A number that real data has and a telephone dials, though its area has another length: `06-29911111`.
    case tolerable
    /// A complete number.
    case exact
  }

  /// Returns how digits with a leading zero fit the plan.
  static func fit(_ digits: some StringProtocol) -> Fit {
    let head = Array(digits.utf8.prefix(3)).map { $0 - UInt8(ascii: "0") }
    guard head.count == 3, head[0] == 0, (9...10).contains(digits.utf8.count) else { return .none }
    let isShort = digits.utf8.count == 9
    switch (head[1], head[2]) {
    case (9, _), (2, _), (8, 0), (4, 9): return isShort ? .none : .exact
    case (0, _), (1, _), (_, 0): return .none
    case (4, 7...8): return isShort ? .exact : .tolerable
    case (4, 2...3): return isShort ? .tolerable : .exact
    case (4, _): return .tolerable
    case (_, 1): return isShort ? .exact : .none
    default: return isShort ? .exact : .tolerable
    }
  }

  /// Returns the numbers of digits that follow an area code; `nil` if Taiwan has no such code.
  static func localLengths(area: some StringProtocol) -> Set<Int>? {
    switch area {
    case "02": [8]
    case "04": [7, 8]
    case "03", "05", "06", "07", "08", "049": [7]
    case "037", "082", "089": [6]
    case "0826", "0836": [5]
    default: nil
    }
  }

  /// Returns the code that a complete number begins with; nil if it is dialed without one.
  static func code(of digits: String) -> String? {
    codes.first { digits.hasPrefix($0) && digits.count > $0.count + 4 }
  }

  /// A Boolean value that indicates whether digits are one of the numbers of three or four digits that
  /// everybody can dial: police, rescue, fraud, the city and the like.
  static func isShort(_ digits: some StringProtocol) -> Bool {
    shortNumbers.contains(String(digits))
  }

  /// A Boolean value that indicates whether digits are in the range of special services, 1910 to 1999.
  static func isService(_ digits: some StringProtocol) -> Bool {
    digits.count == 4 && digits.hasPrefix("19") && !digits.hasPrefix("190")
  }

  /// The area codes, the longer before those that they begin with. Mobile, free, and paid numbers are
  /// written with four digits in front.
  private static let codes =
    ["0826", "0836"] + (0...9).flatMap { ["080\($0)", "020\($0)"] }
    + (0...9).flatMap { tens in (0...9).map { "09\(tens)\($0)" } }
    + ["037", "049", "082", "089", "02", "03", "04", "05", "06", "07", "08"]

  private static let shortNumbers: Set<String> = [
    "100", "104", "105", "108", "110", "112", "113", "117", "118", "119", "123", "165", "166",
    "167",
    "168", "1911", "1912", "1922", "1925", "1950", "1955", "1957", "1966", "1968", "1980", "1995",
    "1996", "1999",
  ]
}
