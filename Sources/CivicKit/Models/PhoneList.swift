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

/// A telephone number, with its extension.
public struct PhoneNumber: Sendable, Hashable, Codable, CustomStringConvertible, Identifiable {
  /// The digits with the area code, such as `062991111`.
  ///
  /// `+886` is read as the leading zero. Another country's code follows a `+`.
  public var digits: String
  /// The extension at the switchboard, such as `8492`.
  public var extensionDigits: String?

  /// Creates a number.
  public init(digits: String, extensionDigits: String? = nil) {
    self.digits = digits
    self.extensionDigits = extensionDigits
  }

  /// The text to dial, in which a pause precedes the extension: `062991111,8492`.
  public var dialString: String { digits + (extensionDigits.map { ",\($0)" } ?? "") }

  /// The number as it is usually written: `06-2991111#8492`.
  public var description: String {
    let code = NumberingPlan.code(of: digits)
    let number = code.map { "\($0)-\(digits.dropFirst($0.count))" } ?? digits
    return number + (extensionDigits.map { "#\($0)" } ?? "")
  }

  /// The text to dial.
  public var id: String { dialString }
}
