/// Rewrites a date that is spelled in an unusual way into a form that ``TimestampParser`` reads.
///
/// - Full-width characters, typographic spaces, hyphens, and points become ASCII, and invisible
///   characters disappear.
/// - Quotes and brackets around the text, and the weekday, disappear.
/// - Chinese numerals become digits: `二〇一三`, `一百一十二`, `廿七`, `十二`.
/// - Korean, Japanese, and simplified Chinese words become traditional Chinese ones, and the names of
///   months become English ones.
enum DateSpelling {
  /// The longest text that is worth rewriting, in bytes.
  private static let byteLimit = 160

  /// Returns the text in a plain spelling and where its hyphens were dashes, or `nil` if there is
  /// nothing to rewrite or the text contradicts itself.
  static func plain(_ bytes: Span<UInt8>) -> (text: [UInt8], dashes: [Int])? {
    guard bytes.count <= byteLimit,
      (0..<bytes.count).contains(where: { bytes[$0] >= 0x80 || ByteCursor.isDigit(bytes[$0]) })
    else { return nil }
    let text = (0..<bytes.count).map { bytes[$0] }
    var scalars = String(decoding: text, as: UTF8.self).unicodeScalars.compactMap(simplified)
    removeQuotes(&scalars)
    removeLabel(&scalars)
    var writer = Writer(scalars: scalars)
    guard writer.run(), writer.output != text else { return nil }
    return (writer.output, writer.dashes)
  }

  /// Returns the ASCII form of a character, the character itself if it has none, or `nil` if it is
  /// invisible.
  private static func simplified(_ scalar: Unicode.Scalar) -> Unicode.Scalar? {
    switch scalar.value {
    case 0x09...0x0D: " "
    case 0..<0x80, 0x3400...0x9FFF, 0xAC00...0xD7A3: scalar
    case 0xFF01...0xFF5E: Unicode.Scalar(scalar.value - 0xFEE0)
    case 0x2010, 0x2011, 0x2212, 0xFE63: "-"
    case 0x2012...0x2015, 0xFE58: dash
    case 0x301C, 0x223C, 0x2053: "~"
    case 0x3002, 0xFF61, 0x00B7, 0x2027, 0x30FB: "."
    case 0x3001, 0xFF64, 0xFE50, 0xFE51: ","
    case 0x2236, 0xFE55: ":"
    case 0x2044, 0x2215: "/"
    default:
      if scalar.properties.isWhitespace {
        " "
      } else if scalar.properties.isDefaultIgnorableCodePoint {
        nil
      } else {
        scalar
      }
    }
  }

  /// A dash, which becomes a hyphen that is never the sign of an offset.
  private static let dash: Unicode.Scalar = "\u{2013}"

  private static func removeQuotes(_ scalars: inout [Unicode.Scalar]) {
    func trim() {
      while scalars.last == " " { scalars.removeLast() }
      scalars = Array(scalars.drop { $0 == " " })
    }
    trim()
    while scalars.count >= 2, let first = scalars.first, let last = scalars.last,
      quotes.contains(where: { $0 == (first, last) })
    {
      scalars = Array(scalars.dropFirst().dropLast())
      trim()
    }
  }

  /// Removes a word that says which date follows: `發布日期：`, `Published: `.
  private static func removeLabel(_ scalars: inout [Unicode.Scalar]) {
    let word = scalars.prefix { $0 == " " || $0.properties.isAlphabetic }
    guard let mark = scalars.dropFirst(word.count).first else { return }
    let label = String(String.UnicodeScalarView(word.filter { $0 != " " })).lowercased()
    guard DateWords.labels.contains(label) else { return }
    if mark == ":" {
      scalars.removeFirst(word.count + 1)
    } else if word.first?.isASCII == false {
      scalars.removeFirst(word.count)
    }
  }

  private static let quotes: [(Unicode.Scalar, Unicode.Scalar)] = [
    ("\"", "\""), ("'", "'"), ("“", "”"), ("‘", "’"), ("[", "]"), ("(", ")"), ("<", ">"),
    ("「", "」"), ("『", "』"), ("【", "】"), ("«", "»"),
  ]
}

extension DateSpelling {
  /// The rewriting of one text.
  private struct Writer {
    let scalars: [Unicode.Scalar]
    var output: [UInt8] = []
    var dashes: [Int] = []
    private var at = 0
    private var hasWeekday = false

    init(scalars: [Unicode.Scalar]) { self.scalars = scalars }

    /// Rewrites the whole text; returns `false` if it contradicts itself.
    mutating func run() -> Bool {
      while at < scalars.count {
        let scalar = scalars[at]
        if ChineseNumeral.isPart(scalar) {
          guard writeNumeral() else { return false }
        } else if isBracketedWeekday {
          at += 3
          guard dropWeekday() else { return false }
        } else if scalar.value >= 0x2E80 {
          guard writePhrase() else { return false }
        } else if scalar.properties.isAlphabetic {
          guard writeWord() else { return false }
        } else {
          if scalar == "~" { hasWeekday = false }
          if scalar == DateSpelling.dash {
            dashes.append(output.count)
            write("-")
          } else {
            write(scalar)
          }
          at += 1
        }
      }
      return true
    }

    private mutating func write(_ scalar: Unicode.Scalar) {
      output.append(contentsOf: UTF8.encode(scalar) ?? .init())
    }

    private func next(_ offset: Int = 0) -> Unicode.Scalar? {
      at + offset < scalars.count ? scalars[at + offset] : nil
    }

    /// A Boolean value that indicates whether `(六)`, `(金)`, or `(월)` is next.
    private var isBracketedWeekday: Bool {
      guard next() == "(", next(2) == ")", let day = next(1) else { return false }
      return DateWords.weekdayLetters.contains(day)
    }

    private mutating func writeNumeral() -> Bool {
      let start = at
      while let scalar = next(), ChineseNumeral.isPart(scalar) { at += 1 }
      if let last = output.last, ByteCursor.isDigit(last) { return false }
      if let scalar = next(), scalar.value < 0x80, ByteCursor.isDigit(UInt8(scalar.value)) {
        return false
      }
      guard let digits = ChineseNumeral.digits(scalars[start..<at]) else { return false }
      output.append(contentsOf: digits)
      return true
    }

    private mutating func writePhrase() -> Bool {
      for (phrase, replacement) in DateWords.phrases[scalars[at]] ?? []
      where scalars[at...].starts(with: phrase) {
        at += phrase.count
        guard let replacement else { return dropWeekday() }
        // Each end of a range may have its weekday.
        if replacement == "~" { hasWeekday = false }
        output.append(contentsOf: replacement.utf8)
        return true
      }
      write(scalars[at])
      at += 1
      return true
    }

    private mutating func writeWord() -> Bool {
      let start = at
      let word = takeWord()
      if let last = output.last, ByteCursor.isDigit(last), DateWords.ordinalEndings.contains(word) {
        return true
      }
      let isWeekday = DateWords.weekdays.contains(word)
      let month = DateWords.months[word]
      // In French, `mar.` is Tuesday if it precedes another month.
      if isWeekday, month == nil || isMonthAhead {
        if scalars[at...].starts(with: "-feira".unicodeScalars) { at += 6 }
        return dropWeekday()
      }
      if let month {
        output.append(contentsOf: month.utf8)
      } else if let mark = DateWords.timeMarks[word], isAfterNumber {
        output.append(contentsOf: mark.utf8)
      } else if word == "to" || word == "until" {
        hasWeekday = false
        output.append(UInt8(ascii: "~"))
      } else if DateWords.fillers.contains(word), isBetweenBlanks(start) {
        // The `at` of `January 5, 2024 at 15:04` disappears. After the time, it is a zone.
      } else {
        for scalar in scalars[start..<at] { write(scalar) }
      }
      return true
    }

    private mutating func takeWord() -> String {
      var word = ""
      while let scalar = next(), scalar.value < 0x2E80, scalar.properties.isAlphabetic {
        word += scalar.properties.lowercaseMapping
        at += 1
      }
      return word
    }

    /// Returns whether the word that began at an index stands alone, and no time precedes it.
    private func isBetweenBlanks(_ start: Int) -> Bool {
      next() == " " && (start == 0 || scalars[start - 1] == " ")
        && !output.contains(UInt8(ascii: ":"))
    }

    private var isAfterNumber: Bool {
      output.last { $0 != UInt8(ascii: " ") }.map(ByteCursor.isDigit) ?? false
    }

    private var isMonthAhead: Bool {
      var ahead = self
      while ahead.at < scalars.count {
        if DateWords.months[ahead.takeWord()] != nil { return true }
        ahead.at += 1
      }
      return false
    }

    /// Leaves out a weekday, with the brackets around it or the point and comma after it.
    private mutating func dropWeekday() -> Bool {
      guard !hasWeekday else { return false }
      hasWeekday = true
      if output.last == UInt8(ascii: "("), next() == ")" {
        output.removeLast()
        at += 1
      }
      while next() == "." || next() == "," { at += 1 }
      if at == scalars.count {
        while output.last == UInt8(ascii: " ") || output.last == UInt8(ascii: ",") {
          output.removeLast()
        }
      }
      output.append(UInt8(ascii: " "))
      return true
    }
  }
}
