/// A parser that splits a text of the source into telephone numbers.
///
/// Groups of digits are joined until they form a complete number of the ``NumberingPlan``, so that
/// digits after a number (hours, a second number, the end of a range) never become part of it.
struct PhoneReader {
  private let text: PhoneText
  private var numbers: [PhoneNumber] = []
  /// The area code for numbers without one: that of the previous number.
  private var areaCode: String
  /// The position after the last group that belongs to ``numbers``.
  private var end = 0
  /// The position after the groups that belong to a number that can't be dialed.
  private var brokenEnd = 0

  private init(_ text: String, areaCode: String) {
    self.text = PhoneText(text)
    self.areaCode = areaCode
  }

  static func numbers(in text: String, areaCode: String) -> [PhoneNumber] {
    var reader = PhoneReader(text, areaCode: areaCode)
    var index = 0
    while index < reader.text.groups.count { index = reader.read(index) }
    return reader.numbers
  }

  /// Reads the group at a position and returns the position to continue at.
  private mutating func read(_ index: Int) -> Int {
    if let next = readTail(index) { return next }
    if let (digits, next) = national(at: index) ?? foreign(at: index) {
      // Use the code as written: numbers after 03-7123456 have seven digits, after 037-123456 six.
      let head = text.groups[index].digits
      let code = head.utf8.count <= 4 && head.hasPrefix("0") ? head : NumberingPlan.code(of: digits)
      if let code, !NumberingPlan.isForAllAreas(digits),
        NumberingPlan.localLengths(area: code) != nil
      {
        areaCode = code
      }
      return append(digits, next)
    }
    if let (digits, next) = local(at: index) { return append(areaCode + digits, next) }
    let digits = text.groups[index].digits
    if isShort(at: index) { return append(digits, index + 1) }
    if digits.hasPrefix("0") {
      // The following groups are the rest of this number, not numbers themselves.
      var last = max(index + 1, brokenEnd)
      while last < text.groups.count, text.gap(before: last).joins() { last += 1 }
      brokenEnd = last
    }
    return index + 1
  }

  private mutating func append(_ digits: String, _ next: Int) -> Int {
    numbers.append(PhoneNumber(digits: digits))
    (end, brokenEnd) = (next, 0)
    return next
  }

  // MARK: - After a number

  /// Reads a group as an extension of the previous number or as the end of a range; returns `nil`
  /// if it is neither.
  private mutating func readTail(_ index: Int) -> Int? {
    guard let last = numbers.last, end == index else { return nil }
    let digits = text.groups[index].digits
    let gap = text.gap(before: index)
    guard digits.utf8.count <= 6, !text.isQuantity(index) else { return nil }
    if text.isHours(index), !gap.marksExtension { return nil }
    // The beginning of a number isn't an extension: the 06 of `轉06-2982712`.
    if national(at: index) != nil { return nil }
    if digits.utf8.count >= 5, !gap.marksExtension, local(at: index) != nil { return nil }
    if gap.isRange || (gap.isHyphen && (digits.utf8.count <= 2 || last.extensionDigits != nil)) {
      end = index + 1
      return end
    }
    let isPlain =
      (2...5).contains(digits.utf8.count) && !digits.hasPrefix("0")
      && !NumberingPlan.isShort(digits)
    if let known = last.extensionDigits {
      // `06-2991111#1012、1013` is one switchboard with two extensions, and so is `#1012 #1013`.
      let isAnother =
        gap.marksExtension
        || isPlain && (gap.isList || gap.isNameInList || isAlike(index, known))
      guard isAnother else { return nil }
      numbers.append(PhoneNumber(digits: last.digits, extensionDigits: digits))
    } else {
      let isFirst =
        gap.marksExtension || gap.isHyphen
        || isPlain && (isEnclosed(index) || gap.isPause && !mayBeLocal(index))
      guard isFirst else { return nil }
      numbers[numbers.count - 1].extensionDigits = digits
    }
    end = index + 1
    return end
  }

  /// Returns whether blanks separate a group from an extension of the same length: `#1012 1013`.
  private func isAlike(_ index: Int, _ known: String) -> Bool {
    text.gap(before: index).isBlank && text.groups[index].digits.utf8.count == known.utf8.count
      && known.utf8.count >= 3 && local(at: index) == nil
  }

  /// Returns whether a group is a number without an area code, or the first half of one that isn't
  /// before the hours of an office: `5282 0800-1700`.
  private func mayBeLocal(_ index: Int) -> Bool {
    guard let (_, next) = local(at: index) else { return false }
    return next == index + 1 || !text.isHours(index + 1)
  }

  /// Returns whether three digits or more are alone in parentheses.
  private func isEnclosed(_ index: Int) -> Bool {
    text.groups[index].digits.utf8.count >= 3 && text.gap(before: index).opens
      && text.gap(before: index + 1).closes
  }

  // MARK: - Numbers

  private typealias Found = (digits: String, next: Int)

  /// Returns the number that starts at a group with a leading zero or Taiwan's country code.
  private func national(at first: Int) -> Found? {
    let head = text.groups[first].digits
    // Accept the country code alone or with the whole number; 8866 is as likely an extension.
    guard
      head.hasPrefix("0") || head == "886" || isPlus(at: first)
        || (head.hasPrefix("886") && head.utf8.count > 10)
    else { return nil }
    var tolerable: Found?
    for (digits, next) in joined(from: first, isForeign: isForeign(at: first)) {
      guard let digits = Self.withLeadingZero(digits) else { continue }
      switch NumberingPlan.fit(digits) {
      case .exact: return (digits, next)
      case .tolerable where next == text.groups.count || !text.gap(before: next).isHyphen:
        tolerable = (digits, next)
      default:
        if tolerable == nil { tolerable = mobile(digits, from: first).map { ($0, next) } }
      }
    }
    return tolerable
  }

  /// Returns the mobile number after an area code that doesn't belong there, as in
  /// `886-6-933-283242`, or `nil` if there is none.
  ///
  /// No number has eleven digits otherwise, and the code is a group of its own.
  private func mobile(_ digits: String, from first: Int) -> String? {
    let isCountry = text.groups[first].digits == "886"
    let code = text.groups[isCountry ? min(first + 1, text.groups.count - 1) : first].digits
    let local = digits.dropFirst(2)
    guard digits.utf8.count == 11, local.first == "9",
      "0" + code.drop(while: { $0 == "0" }) == digits.prefix(2),
      NumberingPlan.localLengths(area: digits.prefix(2)) != nil
    else { return nil }
    return "0" + local
  }

  /// Returns the digits with the country code replaced by a leading zero, or `nil` if they have
  /// neither.
  private static func withLeadingZero(_ digits: String) -> String? {
    for prefix in ["886", "00886", "002886", "005886", "006886", "007886", "009886"]
    where digits.hasPrefix(prefix) {
      let rest = digits.dropFirst(prefix.count)
      return rest.hasPrefix("0") ? String(rest) : "0" + rest
    }
    return digits.hasPrefix("0") ? digits : nil
  }

  /// Returns a number of another country, whose code follows a plus sign.
  private func foreign(at first: Int) -> Found? {
    let head = text.groups[first].digits
    guard isPlus(at: first), !head.hasPrefix("0"), !head.hasPrefix("886") else { return nil }
    var best: Found?
    for (digits, next) in joined(from: first, isForeign: true) {
      let isNew = text.groups[next - 1].digits.hasPrefix("0") && text.gap(before: next - 1).isBlank
      guard digits.utf8.count <= 15, best == nil || !isNew else { break }
      if digits.utf8.count >= 7 { best = ("+" + digits, next) }
    }
    // In North America, neither an area nor an exchange begins with 0 or 1, but the number after the
    // item `1.` of a list does.
    if let best, best.0.hasPrefix("+10") || best.0.hasPrefix("+11") { return nil }
    return best
  }

  private func isPlus(at index: Int) -> Bool {
    text.gap(before: index).endsInPlus(atStart: index == 0)
  }

  private func isForeign(at index: Int) -> Bool {
    let head = text.groups[index].digits
    return head.hasPrefix("886") || head.hasPrefix("00") || isPlus(at: index)
  }

  /// Returns the digits of one group, of two, and so on, as far as they may be parts of one number.
  private func joined(from first: Int, isForeign: Bool) -> [Found] {
    var (digits, found) = ("", [] as [Found])
    for index in first..<text.groups.count {
      let group = text.groups[index]
      if index > first {
        let gap = text.gap(before: index)
        let isCode = index == first + 1 && digits.utf8.count <= 4
        guard gap.joins(isForeign: isForeign) || (isCode && gap.joinsAreaCode),
          !text.isQuantity(index)
        else { break }
      }
      digits += group.digits
      // The longest number is one such as 002886 0912345678.
      guard digits.utf8.count <= 16 else { break }
      // No number ends in a group of one or two digits, which is a range, a floor, or an hour.
      if index == first || group.digits.utf8.count >= 3 { found.append((digits, index + 1)) }
    }
    return found
  }

  /// Returns a number without an area code, in one group or two.
  private func local(at first: Int) -> Found? {
    let head = text.groups[first].digits
    let lengths = NumberingPlan.localLengths(area: areaCode) ?? [6, 7, 8]
    guard first >= brokenEnd, !head.hasPrefix("0"), !head.hasPrefix("1") else { return nil }
    if first > 0, end != first, text.gap(before: first).isHyphen { return nil }
    if lengths.contains(head.utf8.count) { return isDate(head) ? nil : (head, first + 1) }
    guard first + 1 < text.groups.count, (2...4).contains(head.utf8.count) else { return nil }
    let (tail, gap) = (text.groups[first + 1].digits, text.gap(before: first + 1))
    guard (3...4).contains(tail.utf8.count), gap.isBlank || gap.isHyphen, !text.isHours(first),
      !text.isQuantity(first + 1), lengths.contains(head.utf8.count + tail.utf8.count)
    else { return nil }
    return (head + tail, first + 2)
  }

  /// Returns whether eight digits are a year, a month, and a day.
  private func isDate(_ digits: String) -> Bool {
    let (month, day) = (Int(digits.dropFirst(4).prefix(2)) ?? 0, Int(digits.suffix(2)) ?? 0)
    return digits.utf8.count == 8 && digits.hasPrefix("20") && (1...12).contains(month)
      && (1...31).contains(day)
  }

  /// Returns whether a group is a number that is dialed as it is, and not part of a date.
  private func isShort(at index: Int) -> Bool {
    let digits = text.groups[index].digits
    guard NumberingPlan.isShort(digits) || NumberingPlan.isService(digits), index >= brokenEnd,
      !text.isQuantity(index), index == 0 || isBoundary(text.gap(before: index)) || isListed(index)
    else { return false }
    guard index + 1 < text.groups.count else { return true }
    let (next, gap) = (text.groups[index + 1].digits, text.gap(before: index + 1))
    // Matches a year and a month, but neither `1999/06-2991111` nor `119/1.110`.
    let isMonth =
      next.utf8.count <= 2 && gap.scalars == ["/"] && national(at: index + 1) == nil
      && text.gap(before: index + 2).scalars.first != "."
    return isBoundary(gap) && !isMonth
  }

  /// Returns whether a group follows the number of a list entry: `1.110`.
  private func isListed(_ index: Int) -> Bool {
    text.groups[index - 1].digits.utf8.count == 1 && text.gap(before: index).scalars == ["."]
  }

  private func isBoundary(_ gap: PhoneText.Gap) -> Bool {
    !gap.isHyphen && !gap.isRange && gap.scalars != ["."]
  }
}
