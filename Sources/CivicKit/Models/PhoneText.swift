/// A text that is prepared for finding telephone numbers: groups of digits, and the gaps between
/// them.
///
/// Letters are lowercase, full-width characters are converted to ASCII, every dash is a hyphen, and
/// invisible characters are removed. Times such as `08:00` and dates such as `115/11/22` aren't
/// groups.
struct PhoneText {
  struct Group {
    var digits: String
    /// The positions of the digits.
    var range: Range<Int>
  }

  private let scalars: [Unicode.Scalar]
  private(set) var groups: [Group] = []

  init(_ text: String) {
    scalars = Self.narrowed(text)
    var start: Int?
    for index in scalars.indices + [scalars.endIndex] {
      if index < scalars.endIndex, Self.isDigit(scalars[index]) {
        start = start ?? index
      } else if let first = start {
        groups.append(Group(digits: string(first..<index), range: first..<index))
        start = nil
      }
    }
    removeTimesAndDates()
  }

  private mutating func removeTimesAndDates() {
    var kept: [Group] = []
    var index = 0
    while index < groups.count {
      if let count = momentCount(at: index) {
        index += count
      } else {
        kept.append(groups[index])
        index += 1
      }
    }
    groups = kept
  }

  /// Returns the number of groups that form a time or a date at a position, or `nil` if there is
  /// neither.
  private func momentCount(at index: Int) -> Int? {
    let rest = groups[index...].prefix(3)
    let signs = rest.indices.dropLast().map {
      string(groups[$0].range.upperBound..<groups[$0 + 1].range.lowerBound)
    }
    let numbers = rest.map { Int($0.digits) ?? .max }
    guard let first = rest.first, let sign = signs.first else { return nil }
    if sign == ":", first.digits.utf8.count <= 2, numbers[1] < 60,
      rest[index + 1].digits.utf8.count == 2
    {
      if signs.count == 2, signs[1] == ":", numbers[2] < 60 { return 3 }
      // `電話1：06-2991111` contains no time.
      let isLabel =
        first.range.lowerBound > 0
        && Self.labelEnds.contains(scalars[first.range.lowerBound - 1])
      let isNumber = signs.count == 2 && ["-", ")"].contains(signs[1]) && numbers[2] >= 100
      return (isLabel || isNumber) && (1...9).contains(numbers[1]) ? nil : 2
    }
    guard signs.count == 2, signs[1] == sign, ["/", ".", "-"].contains(sign),
      (2...4).contains(first.digits.utf8.count), !first.digits.hasPrefix("0"),
      (1...12).contains(numbers[1]), (1...31).contains(numbers[2]),
      rest.dropFirst().allSatisfy({ $0.digits.utf8.count <= 2 })
    else { return nil }
    return 3
  }

  private func string(_ range: Range<Int>) -> String {
    String(String.UnicodeScalarView(scalars[range]))
  }

  /// Returns the gap before a group, back to the previous group.
  func gap(before index: Int) -> Gap {
    let start = index == 0 ? 0 : groups[index - 1].range.upperBound
    let end = index < groups.count ? groups[index].range.lowerBound : scalars.endIndex
    return Gap(scalars: scalars[start..<end])
  }

  /// Returns whether a unit of measurement follows a group: `24小時`, `3樓`, `110年`.
  func isQuantity(_ index: Int) -> Bool {
    let count = groups[index].digits.utf8.count
    guard count <= 4 else { return false }
    let rest = scalars[groups[index].range.upperBound...].drop { $0 == " " }
    guard let first = rest.first else { return false }
    guard count <= 2 else { return Self.largeUnits.contains(first) }
    if first == "分" { return rest.dropFirst().first.map { $0 != "機" && $0 != "机" } ?? true }
    // A letter such as the F of a floor, not the beginning of `FAX`.
    if "fh".unicodeScalars.contains(first) {
      return !(rest.dropFirst().first.map { ("a"..."z").contains($0) } ?? false)
    }
    return Self.units.contains(first) || Self.largeUnits.contains(first)
  }

  /// Returns whether a group and the next one are the hours of an office: `0800-1700`.
  func isHours(_ index: Int) -> Bool {
    guard index + 1 < groups.count, let opening = minutes(index), let closing = minutes(index + 1)
    else { return false }
    let (gap, rest) = (gap(before: index + 1), gap(before: index + 2))
    return (gap.isHyphen || gap.isRange) && opening < closing
      && (index + 2 == groups.count || !rest.isHyphen)
  }

  /// Returns the minutes since midnight of a time such as `0830`, of which offices have multiples of
  /// five; `nil` if a group is none.
  private func minutes(_ index: Int) -> Int? {
    let digits = groups[index].digits
    guard digits.utf8.count == 4, let number = Int(digits), number <= 2400, number % 100 < 60,
      number.isMultiple(of: 5)
    else { return nil }
    return number / 100 * 60 + number % 100
  }

  private static let units = Set("小時时點点月日樓楼段位週周秒歲折線线鐘".unicodeScalars)
  /// The units that can follow numbers of a hundred or more.
  private static let largeUnits = Set("年號号巷弄元人天次%學学".unicodeScalars)

  /// The final characters of words for a telephone, such as those in `電話1` and `tel1`.
  private static let labelEnds = Set("話话機机線线號号真lxe".unicodeScalars)

  static func isDigit(_ scalar: Unicode.Scalar) -> Bool { ("0"..."9").contains(scalar) }

  private static func narrowed(_ text: String) -> [Unicode.Scalar] {
    var narrow: [Unicode.Scalar] = []
    for scalar in text.lowercased().unicodeScalars {
      switch scalar.value {
      case 0xFF01...0xFF5E:
        let plain = Unicode.Scalar(UInt8(scalar.value - 0xFF01 + 0x21))
        narrow.append(plain.properties.lowercaseMapping.unicodeScalars.first ?? plain)
      case 0x2010...0x2015, 0x2212, 0x2500, 0xFE58, 0xFE63, 0x30FC, 0xFF70: narrow.append("-")
      case 0x301C, 0x223C, 0xFE4B: narrow.append("~")
      case 0xFE5F, 0x266F: narrow.append("#")
      case 0xFE61, 0x2217: narrow.append("*")
      case 0xFE59: narrow.append("(")
      case 0xFE5A: narrow.append(")")
      case 0xFE55, 0xFE13, 0x2236: narrow.append(":")
      case 0xFE62: narrow.append("+")
      case 0x3010, 0x3014, 0x5B, 0x7B: narrow.append("(")
      case 0x3011, 0x3015, 0x5D, 0x7D: narrow.append(")")
      // The character for one and a similar Bopomofo letter, written for a dash: 06一2991111.
      case 0x4E00, 0x3127: narrow.append(narrow.last.map(isDigit) ?? false ? "-" : scalar)
      case 0xAD, 0x200B...0x200F, 0x202A...0x202E, 0x2060...0x2069, 0xFEFF: break
      case 0x09, 0x20: narrow.append(" ")
      case 0x0A...0x0D, 0x85, 0x2028, 0x2029: narrow.append("\n")
      default: narrow.append(scalar.properties.isWhitespace ? " " : scalar)
      }
    }
    return narrow
  }
}

// MARK: - Gap

extension PhoneText {
  /// The text between two groups of digits.
  struct Gap {
    let scalars: ArraySlice<Unicode.Scalar>

    private var signs: [Unicode.Scalar] { scalars.filter { $0 != " " } }

    var isBlank: Bool { scalars.allSatisfy { $0 == " " } }

    /// A Boolean value that indicates whether the groups on both sides may be parts of one number.
    ///
    /// - Parameter isForeign: Pass `true` if the number has a country code, after which the zero of
    ///   the area code may be in parentheses.
    func joins(isForeign: Bool = false) -> Bool {
      signs.allSatisfy { "-.)_".unicodeScalars.contains($0) || (isForeign && $0 == "(") }
    }

    /// A Boolean value that indicates whether this may separate an area code from its number.
    var joinsAreaCode: Bool {
      joins() || signs.count <= 2 && signs.allSatisfy { "/:,、)".unicodeScalars.contains($0) }
    }

    var isHyphen: Bool { signs == ["-"] }

    /// A Boolean value that indicates whether the next digits are the end of a range:
    /// `06-2991111~5`.
    var isRange: Bool { signs == ["~"] || signs == ["至"] || signs == ["到"] }

    /// A Boolean value that indicates whether this opens a parenthesis around the next digits.
    var opens: Bool { signs == ["("] }

    /// A Boolean value that indicates whether a closing parenthesis comes first.
    var closes: Bool { signs.first == ")" }

    /// Returns whether this ends with a plus sign, which begins a country code.
    ///
    /// A plus sign directly after a number separates it from the next one.
    func endsInPlus(atStart: Bool) -> Bool {
      let close = Array(scalars.reversed().drop { $0 == "(" })
      if close.first == "+" { return atStart || close.count > 1 && close[1] != ")" }
      let signs = signs.reversed().drop { $0 == "(" }
      return signs.first == "+" && (atStart || signs.dropFirst().contains { $0 != ")" })
    }

    /// A Boolean value that indicates whether this separates the entries of a list of extensions.
    var isList: Bool {
      !signs.isEmpty && signs.allSatisfy { Self.separators.contains($0) || Self.words.contains($0) }
    }

    /// A Boolean value that indicates whether the next digits are an extension: `#`, `轉`, `ext.`,
    /// or the pause of a text to dial, `p` or `w`.
    var marksExtension: Bool {
      let scalars = Array(scalars)
      guard let mark = scalars.indices.last(where: { Self.isMark(at: $0, in: scalars) }) else {
        return false
      }
      return !scalars[mark...].contains { Self.separators.contains($0) }
    }

    /// A Boolean value that indicates whether this is a pause in a text to dial: `062991111,8492`.
    var isPause: Bool { !signs.isEmpty && signs.allSatisfy { $0 == "," } }

    /// A Boolean value that indicates whether this is the name of the person at the extension before
    /// it, and a separator: ` 林小姐、`.
    var isNameInList: Bool {
      guard let last = signs.last, Self.separators.contains(last), (2...10).contains(signs.count)
      else { return false }
      return signs.dropLast().allSatisfy { $0.value >= 0x3400 || $0 == "(" || $0 == ")" }
    }

    private static let words = Set("或及和與与跟&+·・‧•orand".unicodeScalars)
    private static let separators = Set("/\\、,;|，；\n".unicodeScalars)

    private static func isMark(at index: Int, in scalars: [Unicode.Scalar]) -> Bool {
      let next = index + 1 < scalars.count ? scalars[index + 1] : nil
      switch scalars[index] {
      case "#", "*", "轉", "转", "按": return true
      case "分": return next == "機" || next == "机"
      case "內", "内": return next == "線" || next == "线"
      case "x", "e", "p", "w":
        guard index == 0 || !isLetter(scalars[index - 1]) else { return false }
        let word = scalars[index...].prefix(while: isLetter).map(Character.init)
        return ["x", "ext", "extn", "extension", "p", "w"].contains(String(word))
      default: return false
      }
    }

    private static func isLetter(_ scalar: Unicode.Scalar) -> Bool { ("a"..."z").contains(scalar) }
  }
}
