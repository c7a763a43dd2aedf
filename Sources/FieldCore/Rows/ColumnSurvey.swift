/// What all cells of a column show about a cell that has two readings.
///
/// A column is surveyed when such a cell is met, by reading the body once more, so that other bodies
/// cost nothing.
final class ColumnSurvey {
  private let bytes: [UInt8]
  /// The columns; empty for the cells of an array or an object.
  var columns: [RowColumn]
  /// A Boolean value that indicates whether other columns of the body are added.
  var isOpen = false
  private let format: RowFormat
  private var forms: [Int: NumberForm] = [:]
  private var codes: [Int: Bool] = [:]
  private var orders: [Int: DateOrder] = [:]

  init(_ bytes: [UInt8], columns: [RowColumn], format: RowFormat) {
    self.bytes = bytes
    self.columns = columns
    self.format = format
  }

  /// Returns whether `NA` is an ID in a column, like the code of Namibia: one row has it, and most
  /// of the others have capital letters.
  func hasCodes(_ column: Int) -> Bool {
    if let known = codes[column] { return known }
    var (same, capitals, others) = (0, 0, 0)
    forEachText(of: column) { text in
      if text == "NA" {
        same += 1
      } else if RowText.isVoid(text) {
        return
      } else if text.utf8.allSatisfy((UInt8(ascii: "A")...UInt8(ascii: "Z")).contains) {
        capitals += 1
      } else {
        others += 1
      }
    }
    codes[column] = same == 1 && capitals > others
    return same == 1 && capitals > others
  }

  /// Returns how the numbers of a column are written.
  func numberForm(_ column: Int) -> NumberForm {
    if let known = forms[column] { return known }
    var evidence = NumberForm.Evidence()
    forEachText(of: column) { evidence.add($0) }
    forms[column] = evidence.form
    return evidence.form
  }

  /// Returns the order of day and month in the dates of a column.
  func dateOrder(_ column: Int) -> DateOrder {
    if let known = orders[column] { return known }
    // The order doesn't depend on the zone.
    let parser = TimestampParser(zone: .utc)
    var order = DateOrder()
    forEachText(of: column) { _ = parser.instant($0, noting: &order) }
    orders[column] = order
    return order
  }

  private func forEachText(of column: Int, _ body: (String) -> Void) {
    guard columns.indices.contains(column) else { return }
    do throws(FieldError) {
      _ = try RowReader.forEachRow(
        of: bytes, columns: [columns[column]], key: 0, format: format, isSurvey: true
      ) { row in
        if let text = row.writtenText(0) { body(text) }
      }
    } catch {
      // The body is being read, which reports this error.
    }
  }
}

/// The signs in the numbers of a column of separated values, beyond those that every number may have.
struct NumberForm {
  /// A Boolean value that indicates whether a comma precedes the fraction, and points separate
  /// thousands.
  var hasDecimalComma = false
  /// A Boolean value that indicates whether blanks or apostrophes separate thousands.
  var hasBlanks = false

  /// Returns a number in this form as in JSON, or `nil` if it is in another.
  func plainText(_ text: String) -> String? {
    guard let parts = Parts(text), parts.hasOnlyDigits else { return nil }
    if parts.blanks > 0, !hasBlanks || !parts.isGrouped(by: " ") { return nil }
    guard hasDecimalComma else {
      return parts.blanks > 0 ? parts.sign + parts.body.filter { $0 != " " } : nil
    }
    guard parts.commas <= 1, parts.points == 0 || parts.isGrouped(by: ".") else { return nil }
    return parts.sign + parts.body.filter { $0 != "." && $0 != " " }.replacing(",", with: ".")
  }

  /// The counts of the cells that speak for a form or against it.
  struct Evidence {
    private var commas = 0
    private var points = 0
    private var blanks = 0
    private var isCertain = false
    private var hasOddCommas = false
    private var hasOddBlanks = false

    var form: NumberForm {
      NumberForm(
        hasDecimalComma: commas > 0 && points == 0 && !hasOddCommas,
        hasBlanks: (isCertain || blanks > 1) && !hasOddBlanks)
    }

    mutating func add(_ text: String) {
      guard let parts = Parts(text), parts.hasOnlyDigits else { return }
      if parts.blanks > 0 {
        guard parts.isGrouped(by: " ") else {
          hasOddBlanks = true
          return
        }
        blanks += 1
        if parts.blanks > 1 || parts.commas + parts.points > 0 { isCertain = true }
      }
      switch (parts.commas, parts.points) {
      case (0, 0): break
      // `1,234` and `1.234` may be either.
      case (1, 0): if !parts.mayBeGroup(after: ",") { commas += 1 }
      case (0, 1): if !parts.mayBeGroup(after: ".") { points += 1 }
      case (1, _) where parts.isGrouped(by: "."): commas += 1
      case (_, 1) where parts.isGrouped(by: ","): points += 1
      case (0, _) where parts.isGrouped(by: "."): commas += 1
      case (_, 0) where parts.isGrouped(by: ","): points += 1
      default: hasOddCommas = true
      }
    }
  }

  /// A number of digits, commas, points, and blanks.
  private struct Parts {
    var sign = ""
    /// The text after the sign, in which a space stands for every separator that isn't a point or a
    /// comma.
    var body: String
    var commas = 0
    var points = 0
    var blanks = 0
    var hasOnlyDigits = false

    init?(_ text: String) {
      var scalars = text.unicodeScalars[...]
      if let first = scalars.first, "+-\u{2212}".unicodeScalars.contains(first) {
        sign = first == "+" ? "" : "-"
        scalars.removeFirst()
      }
      body = ""
      for scalar in scalars {
        switch scalar {
        case "0"..."9": hasOnlyDigits = true
        case ",": commas += 1
        case ".": points += 1
        case " ", "\u{A0}", "\u{2009}", "\u{202F}", "'", "\u{2019}":
          blanks += 1
          body += " "
          continue
        default: return nil
        }
        body.unicodeScalars.append(scalar)
      }
    }

    /// Returns whether a sign separates groups of three digits, the first of which may be shorter,
    /// before a fraction that begins with another sign.
    func isGrouped(by sign: Character) -> Bool {
      let whole =
        sign == " " ? body.prefix { $0 != "," && $0 != "." } : body.prefix { $0 != other(sign) }
      let groups = whole.split(separator: sign, omittingEmptySubsequences: false)
      let rest = body.dropFirst(whole.count).dropFirst()
      guard let first = groups.first, (1...3).contains(first.count), first.first != "0",
        groups.count > 1
      else { return false }
      return groups.dropFirst().allSatisfy { $0.count == 3 && $0.allSatisfy(\.isNumber) }
        && rest.allSatisfy(\.isNumber)
    }

    private func other(_ sign: Character) -> Character { sign == "," ? "." : "," }

    /// Returns whether the digits after the only such sign may be a group of thousands.
    func mayBeGroup(after sign: Character) -> Bool {
      let parts = body.filter { $0 != " " }.split(separator: sign, omittingEmptySubsequences: false)
      return blanks == 0 && parts.count == 2 && parts[1].count == 3
        && (1...3).contains(parts[0].count)
        && parts[0].first != "0"
    }
  }
}
