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
    let code = Self.areaCodes.first { digits.hasPrefix($0) && digits.count > $0.count + 4 }
    let number = code.map { "\($0)-\(digits.dropFirst($0.count))" } ?? digits
    return number + (extensionDigits.map { "#\($0)" } ?? "")
  }

  /// The longer codes before those that they begin with. Mobile numbers and free ones have four digits.
  private static let areaCodes =
    ["0826", "0836"] + (0...9).map { "080\($0)" }
    + (0...9).flatMap { tens in
      (0...9).map { "09\(tens)\($0)" }
    } + ["037", "049", "082", "089", "02", "03", "04", "05", "06", "07", "08"]
}
