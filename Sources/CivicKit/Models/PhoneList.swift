/// The telephone numbers that one text holds, and the text itself.
///
/// ```swift
/// let phones = PhoneList("06-2991111#8492 / 06-6322231#5026")
/// print(phones.numbers.map(\.dialString))             // ["062991111,8492", "066322231,5026"]
/// ```
///
/// A list is a collection of its numbers. What cannot be read as a number is left out of them; the text
/// has it still.
public struct PhoneList: Sendable, Hashable, Codable {
  /// The text as the source has it, without space around it; empty when there is none.
  public var rawText: String
  /// The numbers in it, in its order.
  public var numbers: [PhoneNumber]

  /// Makes an empty list.
  public init() {
    rawText = ""
    numbers = []
  }

  /// Makes a list of numbers, and of the text that people would write for them.
  public init(_ numbers: [PhoneNumber]) {
    self.numbers = numbers
    rawText = numbers.map(\.description).joined(separator: " / ")
  }

  /// Reads the numbers of a text.
  ///
  /// - Parameters:
  ///   - text: Numbers with anything but digits between them, in full or half width. An extension has
  ///     `#`, `*`, `轉`, `分機`, `內線`, `ext`, or `x` before it, or is in parentheses. Hours, dates,
  ///     floors, and digits that make no number of Taiwan's numbering plan are skipped. A fax number is
  ///     a number too.
  ///   - areaCode: The area code of numbers that have none and follow no number that has one. Defaults
  ///     to that of Tainan, `06`.
  public init(_ text: String?, areaCode: String = "06") {
    self.init()
    guard let text else { return }
    rawText = text
    numbers = PhoneReader.numbers(in: text, areaCode: areaCode)
  }
}

extension PhoneList: RandomAccessCollection {
  /// The first position.
  public var startIndex: Int { numbers.startIndex }
  /// The position behind the last.
  public var endIndex: Int { numbers.endIndex }
  /// The number at a position.
  public subscript(position: Int) -> PhoneNumber { numbers[position] }
}
