import CivicKit
import TestSupport

/// Makes texts as sources write telephone numbers, with the numbers that are in them.
struct DirtyPhones {
  var random: SeededGenerator

  /// A text, and what must be read from it.
  mutating func text() -> (text: String, numbers: [String]) {
    var (text, numbers) = (pick(Self.leading), [] as [String])
    for index in 0..<Int.random(in: 1...3, using: &random) {
      if index > 0 { text += pick(Self.separators) }
      let (written, digits) = number()
      text +=
        pick(["", "", "", "Tel:", "電話：", "王小姐", "FAX ", "傳真:", "(日)", "電話1：", "1.", "(2)", "二、"])
        + written
      let (tail, extensions) = tail(isShort: digits.count <= 4)
      text += tail
      numbers += extensions.isEmpty ? [digits] : extensions.map { "\(digits),\($0)" }
    }
    text += pick(Self.trailing)
    return (Bool.random(using: &random) ? text : widened(text), numbers)
  }

  private static let leading = [
    "", "", "", " ", "\t", "洽服務台 ", "1樓 ", "110/01/02起 ", "2026-11-22：", "115年1月1日 ", "24小時",
    "週一至週五08:00-17:00 ", "中華路332號,",
  ]
  private static let separators = [
    "/", " / ", "、", "，", ", ", ";", "；", "|", "\\", "＼", "或", " or ", "及", "・", "‧", "\n", "\r\n",
    "  ", "；李先生：", "(夜)", " FAX:", "、傳真", "+", "與",
  ]
  private static let trailing = [
    "", "", "", " ", "（24小時）", "(24小時)", " 08:00-17:00", "（週一至週五 8:30~17:30）", " 9時至17時",
    "(日)", " 3樓", "　王小姐", "，115.11.22 更新", "(2026/11/22)", " 0800-1700", "。", " 1000-1730",
    " 9:00~12:00、13:30~17:30",
  ]

  private mutating func number() -> (written: String, digits: String) {
    let (code, count) = pick([
      ("02", 8), ("03", 7), ("037", 6), ("04", 7), ("04", 8), ("049", 7), ("05", 7), ("06", 7),
      ("07", 7),
      ("08", 7), ("082", 6), ("0826", 5), ("0836", 5), ("089", 6), ("0912", 6), ("0800", 6),
      ("0809", 6),
      ("0203", 6), ("0204", 6), ("", 4),
    ])
    if code.isEmpty {
      let short = pick(["1999", "119", "110", "165", "1922", "1966"])
      return (short, short)
    }
    let first = code == "04" ? (count == 7 ? 7...8 : 2...3) : code == "03" ? 3...6 : 2...7
    var local = String(Int.random(in: first, using: &random))
    for _ in 1..<count { local += String(Int.random(in: 0...9, using: &random)) }
    let digits = code + local
    let middle = local.index(local.endIndex, offsetBy: count > 6 ? -4 : -3)
    let parts = local[..<middle] + pick(["-", " ", "-", "."]) + local[middle...]
    let plain = pick([local, local, String(parts)])
    switch Int.random(in: 0..<11, using: &random) {
    case 0: return (digits, digits)
    case 1: return ("(\(code))\(plain)", digits)
    case 2: return ("\(code) \(plain)", digits)
    case 3: return ("+886-\(code.dropFirst())-\(plain)", digits)
    case 4: return ("886-\(code.dropFirst())-\(local)", digits)
    case 5: return ("+886 (0)\(code.dropFirst()) \(plain)", digits)
    case 6: return ("\(code)/\(local)", digits)
    case 7: return ("\(code)–\(plain)", digits)
    case 8: return ("（\(code)） \(plain)", digits)
    default: return ("\(code)-\(plain)", digits)
    }
  }

  private mutating func tail(isShort: Bool) -> (text: String, extensions: [String]) {
    let digits = String(Int.random(in: 200...8999, using: &random))
    let other = String(Int.random(in: 2000...8999, using: &random))
    // A hyphen behind 1999 may be that of years.
    switch Int.random(in: 0..<(24), using: &random) {
    case 0: return ("#\(digits)", [digits])
    case 1: return (" 轉 \(digits)", [digits])
    case 2: return ("分機\(digits)", [digits])
    case 3: return (" ext. \(digits)", [digits])
    case 4: return ("*\(digits)", [digits])
    case 5: return ("內線\(digits)", [digits])
    case 6: return ("(\(other))", [other])
    case 7: return ("（分機：\(digits)）", [digits])
    case 8: return ("x\(digits)", [digits])
    case 9...13 where isShort: return ("", [])
    case 9: return ("-\(digits)", [digits])
    case 10: return ("#\(digits)、\(other)", [digits, other])
    case 11: return ("轉\(digits)或\(other)", [digits, other])
    case 12: return ("#\(digits)~\(other)", [digits])
    case 13: return (pick(["-5", "~5", "～9", "-15", "至8"]), [])
    case 14...17 where isShort: return ("", [])
    case 14: return ("#\(digits) #\(other)", [digits, other])
    case 15: return (",\(other)", [other])
    case 16: return ("p\(digits)", [digits])
    case 17: return ("轉\(digits) 林小姐、\(other) 陳先生", [digits, other])
    default: return ("", [])
    }
  }

  /// A text in full width.
  private func widened(_ text: String) -> String {
    String(
      String.UnicodeScalarView(
        text.unicodeScalars.map {
          (0x21...0x7E).contains($0.value)
            ? Unicode.Scalar($0.value + 0xFEE0) ?? $0 : $0.value == 0x20 ? "\u{3000}" : $0
        }))
  }

  private mutating func pick<Element>(_ elements: [Element]) -> Element {
    elements[Int.random(in: elements.indices, using: &random)]
  }

  /// Whether a number is one that a telephone in Taiwan can dial, by the length that its code asks for.
  static func canDial(_ number: PhoneNumber) -> Bool {
    let digits = number.digits
    if let code = number.extensionDigits, !(1...6).contains(code.count) { return false }
    if digits.hasPrefix("+") { return (8...16).contains(digits.count) }
    guard digits.hasPrefix("0") else {
      return digits.hasPrefix("1") && (3...4).contains(digits.count)
    }
    let lengths: [(String, ClosedRange<Int>)] = [
      ("09", 10...10), ("02", 10...10), ("080", 10...10), ("049", 10...10), ("070", 11...11),
      ("03", 9...10), ("04", 9...10), ("05", 9...10), ("06", 9...10), ("07", 9...10),
      ("08", 9...10),
    ]
    return lengths.first { digits.hasPrefix($0.0) }?.1.contains(digits.count) ?? false
  }
}
