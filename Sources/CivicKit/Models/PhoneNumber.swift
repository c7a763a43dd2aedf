/// A telephone number of Taiwan, with its extension.
public struct PhoneNumber: Sendable, Hashable, Codable {
  /// The digits with the area code, such as `062991111`; `+886` is read as the leading zero.
  public var digits: String
  /// The extension behind the switchboard, such as `8492`.
  public var extensionDigits: String?

  /// Makes a number.
  public init(digits: String, extensionDigits: String? = nil) {
    self.digits = digits
    self.extensionDigits = extensionDigits
  }

  /// What a telephone dials: the digits, and the extension after a pause: `062991111,8492`.
  public var dialString: String { digits + (extensionDigits.map { ",\($0)" } ?? "") }
}

extension PhoneNumber: CustomStringConvertible {
  /// The number as people write it: `06-2991111#8492`.
  public var description: String {
    let code = NumberingPlan.code(of: digits)
    let number = code.map { "\($0)-\(digits.dropFirst($0.count))" } ?? digits
    return number + (extensionDigits.map { "#\($0)" } ?? "")
  }
}

extension PhoneNumber: Identifiable {
  /// The digits to dial, with the extension.
  public var id: String { dialString }
}
