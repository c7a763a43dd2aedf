internal import FieldCore

/// A collection of the telephone numbers in one text, together with the text itself.
///
/// ```swift
/// let phones = PhoneList("06-2991111#8492 / 06-6322231#5026")
/// print(phones.numbers.map(\.dialString))             // ["062991111,8492", "066322231,5026"]
/// ```
///
/// Digits that can't be read as a number are skipped, but they remain in ``rawText``.
public struct PhoneList: Sendable, Hashable, Codable {
  /// The text as the source contains it, except that long runs of combining marks are divided; empty if there is
  /// none.
  public var rawText: String
  /// The numbers, in the order in which they appear in the text.
  public var numbers: [PhoneNumber]

  /// Creates an empty list.
  public init() {
    rawText = ""
    numbers = []
  }

  /// Creates a list from numbers, with the text in which they would usually be written.
  public init(_ numbers: [PhoneNumber]) {
    self.numbers = numbers
    rawText = numbers.map(\.description).joined(separator: " / ")
  }

  /// Creates a list of the phone numbers in a text.
  ///
  /// - Parameters:
  ///   - text: The text, with anything but digits between the numbers, in full or half width. An
  ///     extension follows `#`, `*`, `轉`, `分機`, `內線`, `ext`, `x`, `p`, or a comma, or is in
  ///     parentheses. Each of several extensions is a number with the same digits. Hours, dates, floors, and digits that aren't a number of Taiwan's numbering plan are skipped. Fax
  ///     numbers are included.
  ///   - areaCode: The area code of numbers that have none and don't follow a number that has one.
  ///     Defaults to that of Tainan, `06`.
  public init(_ text: String?, areaCode: String = "06") {
    self.init()
    guard let text = text?.streamSafe else { return }
    rawText = text
    numbers = PhoneReader.numbers(in: text, areaCode: areaCode)
  }
}

extension PhoneList: RandomAccessCollection {
  /// The position of the first number.
  public var startIndex: Int { numbers.startIndex }
  /// The position after the last number.
  public var endIndex: Int { numbers.endIndex }
  /// The number at a position.
  public subscript(position: Int) -> PhoneNumber { numbers[position] }
}
