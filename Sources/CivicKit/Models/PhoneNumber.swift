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
