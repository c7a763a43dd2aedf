import FieldKit
import Foundation

/// The arguments after the command.
struct Arguments {
  private(set) var operands: [String] = []
  private var flags: Set<String> = []
  private var values: [String: String] = [:]

  /// Reads the words after a command's name, of which only its own options are known.
  init(_ words: [String], flags flagNames: Set<String>, values valueNames: Set<String>) throws {
    var rest = words[...]
    while let word = rest.popFirst() {
      if flagNames.contains(word) {
        flags.insert(word)
      } else if valueNames.contains(word) {
        guard let value = rest.popFirst() else { throw UsageError("\(word) needs a value") }
        values[word] = value
      } else if word.hasPrefix("--") {
        throw UsageError("unknown option \(word)")
      } else {
        operands.append(word)
      }
    }
  }

  func has(_ flag: String) -> Bool { flags.contains(flag) }

  func value(_ name: String) -> String? { values[name] }

  func count(_ name: String, default fallback: Int) throws -> Int {
    guard let text = values[name] else { return fallback }
    guard let number = Int(text), number >= 0 else {
      throw UsageError("\(name) needs a whole number that is 0 or more, not \"\(text)\"")
    }
    return number
  }

  /// A number, such as a distance in meters.
  func number(_ name: String) throws -> Double? {
    guard let text = values[name] else { return nil }
    guard let number = Double(text), number.isFinite else {
      throw UsageError("\(name) needs a number, not \"\(text)\"")
    }
    return number
  }

  /// A date and time in any form that the feeds write, in Taipei's zone unless it names another.
  func date(_ name: String) throws -> Date? {
    guard let text = values[name] else { return nil }
    if let date = FeedTime(text).instant { return date }
    throw UsageError("\(name) needs a date and time, such as 2024-10-18T11:39:30+08:00")
  }

  func coordinate(_ name: String) throws -> Coordinate? {
    guard let text = values[name] else { return nil }
    let parts = text.split(separator: ",").map { Double($0.drop { $0 == " " }) }
    guard parts.count == 2, let latitude = parts[0], let longitude = parts[1] else {
      throw UsageError("\(name) needs a latitude and a longitude, such as 48.15,17.11")
    }
    return try Coordinate(latitude: latitude, longitude: longitude)
  }
}

/// An error in the command line.
struct UsageError: Error {
  let message: String
  init(_ message: String) { self.message = message }
}
