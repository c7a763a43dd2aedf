import FieldKit
import Foundation
import HTTPTypes
import Hummingbird

/// An error as the page shows it: localized for users, with the developer's message as a detail.
struct FailurePayload: Codable, Sendable {
  struct Words: Codable, Sendable, Equatable {
    var title: String
    var reason: String
    var advice: String
  }

  var code: String
  var message: String
  var problems: [String]
  /// The words in each language of the page, because an event goes to browsers in all of them.
  var words: [String: Words]

  init(_ error: any Error) {
    let error =
      error as? FieldError ?? FieldError(FieldError.Code(rawValue: "unexpected"), "\(error)")
    code = error.code.rawValue
    message = error.message
    problems = error.problems
    // atlas:begin shell
    let guidance = error.code.guidance
    words = [:]
    for language in [TextLanguage.english, .traditionalChinese, .korean] {
      words[language.rawValue] = Words(
        title: guidance.title.string(in: language), reason: guidance.reason.string(in: language),
        advice: guidance.advice.string(in: language))
    }
    // atlas:end shell
  }

  /// Creates the payload of an error that the router or a route has thrown.
  init(_ error: HTTPError) {
    let code: FieldError.Code =
      switch error.status {
      case .notFound: .notFound
      case .conflict: .operationInProgress
      case .serviceUnavailable: .tooManyRequests
      default: .invalidInput
      }
    self.init(FieldError(code, error.body ?? error.status.reasonPhrase))
  }
}

/// The identity of the process.
struct HelloPayload: Codable, Sendable {
  var process: Int32
  var started: Date
  var restarts: Int
  var mode: NetworkMode
  var sources: [String]
}

/// The inventory of one kit, with a checksum that two processes can compare.
struct InventoryItem: Codable, Sendable, Equatable {
  var kit: String
  var count: Int
  var checksum: String
}

/// The inventory of all kits.
struct InventoryPayload: Codable, Sendable {
  var process: Int32
  var items: [InventoryItem]
  var cuts: Int
  var openingMilliseconds: Double
}

/// A step of a refresh.
struct ProgressPayload: Codable, Sendable {
  var kit: String
  var phase: String
  var fraction: Double
  var outcome: String?
  var failure: FailurePayload?
}

/// A refresh that has ended.
struct RefreshPayload: Codable, Sendable {
  var kit: String
  var outcome: String
  var rows = 0
  var added = 0
  var updated = 0
  var removed = 0
  var milliseconds: Double
  var failure: FailurePayload?
}

/// FNV-1a over the texts that it's given.
struct Checksum {
  private var value: UInt64 = 0xCBF2_9CE4_8422_2325

  mutating func add(_ text: String) {
    for byte in text.utf8 { value = (value ^ UInt64(byte)) &* 0x100_0000_01B3 }
    value = (value ^ 0xFF) &* 0x100_0000_01B3
  }

  var text: String {
    let digits = String(value, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}

/// The time that a synchronous query takes, in microseconds.
func measured<Result>(_ body: () throws -> Result) rethrows -> (
  result: Result, microseconds: Double
) {
  let clock = ContinuousClock()
  let start = clock.now
  let result = try body()
  return (result, ((clock.now - start) / .microseconds(1) * 10).rounded() / 10)
}
