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
