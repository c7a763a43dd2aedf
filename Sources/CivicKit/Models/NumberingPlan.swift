/// The rules of Taiwan's telephone numbering plan that decide where a number ends.
///
/// The codes are those of the National Communications Commission. Numbers have eight digits after
/// 02, eight in Taichung and seven in Changhua after 04, seven in Nantou after 049, and seven in
/// the other areas, less the digits by which an area's code is longer. Mobile, toll-free (080x),
/// and premium-rate (020x) numbers have ten digits in all, and numbers of Internet telephony (070)
/// eleven. The numbers for all areas, 412 and four digits, are written after 02, the code with which
/// mobile telephones dial them.
enum NumberingPlan {
  /// The relation of a string of digits to the plan.
  enum Fit {
    /// The digits aren't a telephone number.
    case none
    /// The number occurs in real data and can be dialed, although its area uses another length:
    /// `06-29911111`.
    case tolerable
    /// The number is complete.
    case exact
  }

  /// Returns how well digits with a leading zero fit the plan.
  static func fit(_ digits: some StringProtocol) -> Fit {
    let head = Array(digits.utf8.prefix(3)).map { $0 - UInt8(ascii: "0") }
    let count = digits.utf8.count
    if digits.hasPrefix("070") { return count == 11 ? .exact : .none }
    guard head.count == 3, head[0] == 0, (9...10).contains(count) else { return .none }
    let isShort = count == 9
    if isShort, isForAllAreas(digits) { return .exact }
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

  /// Returns whether digits begin like a number for all areas with its code.
  static func isForAllAreas(_ digits: some StringProtocol) -> Bool { digits.hasPrefix("02412") }

  /// Returns the possible lengths of numbers after an area code, or `nil` if Taiwan has no such
  /// code.
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

  /// Returns the code that a complete number begins with, or `nil` if it is dialed without one.
  static func code(of digits: String) -> String? {
    codes.first { digits.hasPrefix($0) && digits.count > $0.count + 4 }
  }

  /// Returns whether digits are a nationwide number of three or four digits, such as that of the
  /// police, of rescue services, against fraud, or of the city.
  static func isShort(_ digits: some StringProtocol) -> Bool {
    shortNumbers.contains(String(digits))
  }

  /// Returns whether digits are in the range of special services, 1910 through 1999.
  static func isService(_ digits: some StringProtocol) -> Bool {
    digits.count == 4 && digits.hasPrefix("19") && !digits.hasPrefix("190")
  }

  /// The area codes, each before its own prefixes. Mobile, toll-free, and premium-rate numbers are
  /// written with four digits in front.
  private static let codes =
    ["0826", "0836", "070"] + (0...9).flatMap { ["080\($0)", "020\($0)"] }
    + (0...9).flatMap { tens in (0...9).map { "09\(tens)\($0)" } }
    + ["037", "049", "082", "089", "02", "03", "04", "05", "06", "07", "08"]

  private static let shortNumbers: Set<String> = [
    "100", "104", "105", "108", "110", "112", "113", "117", "118", "119", "123", "165", "166",
    "167", "168", "1911", "1912", "1922", "1925", "1950", "1955", "1957", "1966", "1968", "1980",
    "1995", "1996", "1999",
  ]
}
