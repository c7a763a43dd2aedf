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
  ///   - text: Numbers parted by `/`, `、`, `,`, `;` or a line break, in full or half width, each with
  ///     `#`, `轉`, `分機`, `ext` or `x` before its extension, if it has one.
  ///   - areaCode: What stands before a number of six to eight digits that has no zero in front; that of
  ///     Tainan by default.
  public init(_ text: String?, areaCode: String = "06") {
    self.init()
    guard let text else { return }
    rawText = text
    let reader = PhoneReader(areaCode: areaCode)
    numbers = reader.numbers(in: text)
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
