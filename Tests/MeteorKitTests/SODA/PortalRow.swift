import FieldCore
import Foundation
import MeteorKit

/// A row of a portal as its database has it, and what a condition makes of it, by the rules of SQL.
///
/// It reads the tree of a condition and nothing that is printed; what it does not know it reports.
struct PortalRow: Sendable {
  var texts: [String: String] = [:]
  var mass: ExactDecimal?
  var place: (latitude: Double, longitude: Double)?
  /// The row in the portal's JSON.
  var json: String

  struct Fault: Error, CustomStringConvertible {
    var description: String
  }

  /// Makes the row of one JSON object.
  init(json: String) throws {
    self.json = json
    guard
      let object = try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any]
    else { throw Fault(description: json) }
    for (name, value) in object {
      if let text = value as? String { texts[name] = text }
    }
    mass = texts["mass"].flatMap(ExactDecimal.init)
    if let pair = (object["geolocation"] as? [String: Any])?["coordinates"] as? [Double] {
      place = (pair[1], pair[0])
    }
  }

  init(_ fields: [String: String]) throws {
    var fields = fields
    var members: [String] = []
    if let latitude = fields["reclat"], let longitude = fields["reclong"] {
      members.append(
        #""geolocation":{"type":"Point","coordinates":[\#(longitude),\#(latitude)]}"#)
    }
    fields["name"] = fields["name"] ?? "Stone \(fields["id"] ?? "")"
    for (name, value) in fields.sorted(by: { $0.key < $1.key }) {
      let text = String(decoding: try JSONEncoder().encode(value), as: UTF8.self)
      members.append("\"\(name)\":\(text)")
    }
    try self.init(json: "{" + members.joined(separator: ",") + "}")
  }

  /// The rows as the kit reads them.
  static func meteorites(_ rows: [PortalRow]) throws -> [Meteorite] {
    let body = "[" + rows.map(\.json).joined(separator: "\n,") + "]\n"
    return try Batch<Meteorite>(reading: Array(body.utf8)).records
  }

  // MARK: Conditions

  /// Whether the condition is true of the row; nil is neither true nor false.
  func truth(_ condition: SoQL.Condition) throws -> Bool? {
    switch condition.node {
    case .constant(let isTrue): return isTrue
    case .comparison(let comparison, let left, let right):
      return try compare(left, right).map { order in
        switch comparison {
        case .equal: order == 0
        case .notEqual: order != 0
        case .less: order < 0
        case .lessOrEqual: order <= 0
        case .greater: order > 0
        case .greaterOrEqual: order >= 0
        }
      }
    case .membership(let value, let list, let isNegated):
      let found = try list.map { try compare(value, $0).map { $0 == 0 } }
      if found.contains(true) { return !isNegated }
      return found.contains(nil) ? nil : isNegated
    case .null(let value, let isNegated):
      return (try isNull(value)) != isNegated
    case .not(let inner): return try truth(inner).map { !$0 }
    case .all(let parts):
      let truths = try parts.map(truth)
      return truths.contains(false) ? false : truths.contains(nil) ? nil : true
    case .any(let parts):
      let truths = try parts.map(truth)
      return truths.contains(true) ? true : truths.contains(nil) ? nil : false
    case .expression(let expression): return try call(expression)
    case .between, .like: throw Fault(description: "not known: \(condition)")
    }
  }

  private func isNull(_ expression: SoQL.Expression) throws -> Bool {
    guard case .column(let column) = expression.node else {
      throw Fault(description: "not known: \(expression)")
    }
    switch column.name {
    case "mass": return mass == nil
    case "geolocation": return place == nil
    default: return texts[column.name] == nil
    }
  }

  /// Below 0, 0 or above, as the left is less, equal or more.
  private func compare(_ left: SoQL.Expression, _ right: SoQL.Expression) throws -> Int? {
    guard case .value(let value) = right.node else { throw Fault(description: "\(right)") }
    if case .number(let number) = value.content {
      guard case .column("mass") = left.node, let other = ExactDecimal(number) else {
        throw Fault(description: "a number beside \(left)")
      }
      return mass.map { $0 < other ? -1 : $0 == other ? 0 : 1 }
    }
    guard let text = try text(left) else { return nil }
    guard let other = try self.text(right) else { return nil }
    let (bytes, otherBytes) = (Array(text.utf8), Array(other.utf8))
    return bytes == otherBytes ? 0 : bytes.lexicographicallyPrecedes(otherBytes) ? -1 : 1
  }

  private func text(_ expression: SoQL.Expression) throws -> String? {
    switch expression.node {
    case .column(let column) where !["mass", "geolocation"].contains(column.name):
      return texts[column.name]
    case .call("upper", let arguments): return try text(arguments[0])?.uppercased()
    case .value(let value):
      switch value.content {
      case .text(let text), .floatingTimestamp(let text): return text
      default: throw Fault(description: "not known: \(value)")
      }
    default: throw Fault(description: "no text: \(expression)")
    }
  }

  private func call(_ expression: SoQL.Expression) throws -> Bool? {
    guard case .call(let function, let arguments) = expression.node else {
      throw Fault(description: "not known: \(expression)")
    }
    if function == "starts_with" || function == "contains" {
      guard let text = try text(arguments[0]), let part = try self.text(arguments[1]) else {
        return nil
      }
      let (bytes, needle) = (Array(text.utf8), Array(part.utf8))
      if function == "starts_with" { return bytes.starts(with: needle) }
      return bytes.indices.contains { bytes[$0...].starts(with: needle) } || needle.isEmpty
    }
    guard case .column("geolocation") = arguments[0].node else {
      throw Fault(description: "no place: \(arguments[0])")
    }
    let numbers = try arguments.dropFirst().map { argument -> Double in
      guard case .value(let value) = argument.node, case .number(let text) = value.content,
        let number = Double(text)
      else { throw Fault(description: "no number: \(argument)") }
      return number
    }
    guard let place else { return nil }
    switch (function, numbers.count) {
    case ("within_box", 4):
      // A flat map: nothing goes round.
      return numbers[2] <= place.latitude && place.latitude <= numbers[0]
        && numbers[1] <= place.longitude && place.longitude <= numbers[3]
    case ("within_circle", 3):
      // The polygon of 32 corners is narrower than the circle, and a flat map ends at its edges.
      guard place.longitude <= 180 else { return false }
      let center = try Coordinate(latitude: numbers[0], longitude: numbers[1])
      let here = try Coordinate(latitude: place.latitude, longitude: place.longitude)
      guard abs(place.longitude - numbers[1]) < 180 else { return false }
      return here.distance(to: center).meters <= numbers[2] * 0.985
    default: throw Fault(description: "not known: \(function)")
    }
  }
}

/// A decimal with all of its digits, as a database keeps it.
struct ExactDecimal: Comparable, Sendable {
  private var isNegative: Bool
  /// As many digits before the point as after it: enough for every `Double`.
  private var digits: [UInt8]

  init?(_ text: String) {
    isNegative = text.hasPrefix("-")
    let parts = text.drop { $0 == "-" }.lowercased().split(separator: "e")
    guard let number = parts.first, let exponent = parts.count > 1 ? Int(parts[1]) : 0 else {
      return nil
    }
    let halves = number.split(separator: ".", omittingEmptySubsequences: false)
    digits = Array(repeating: 0, count: 800)
    // The place of the first digit, the point standing before place 400.
    var place = 400 - halves[0].count - exponent
    for digit in halves.joined() {
      guard let value = digit.wholeNumberValue, digits.indices.contains(place) else { return nil }
      digits[place] = UInt8(value)
      place += 1
    }
    if digits.allSatisfy({ $0 == 0 }) { isNegative = false }
  }

  static func < (left: Self, right: Self) -> Bool {
    if left.isNegative != right.isNegative { return left.isNegative }
    let (low, high) = left.isNegative ? (right, left) : (left, right)
    return low.digits.lexicographicallyPrecedes(high.digits)
  }
}
