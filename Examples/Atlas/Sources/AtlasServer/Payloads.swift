import FieldKit
import Foundation

/// An error as the page shows it.
struct FailurePayload: Codable, Sendable {
  var code: String
  var message: String
  var problems: [String] = []

  init(_ error: any Error) {
    if let error = error as? FieldError {
      code = error.code.rawValue
      message = error.message
      problems = error.problems
    } else {
      code = "unexpected"
      message = "\(error)"
    }
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
