internal import FieldFoundation

/// The key of a row as an ID of any type.
enum RowKey {
  static func id<ID: Codable>(of key: String, as type: ID.Type) -> ID? {
    if let type = type as? any LosslessStringConvertible.Type { return type.init(key) as? ID }
    if let type = type as? any RawRepresentable<String>.Type {
      return type.init(rawValue: key) as? ID
    }
    // Such as a UUID, or a type that wraps a number. A key that can't be decoded is no ID.
    let decoder = JSONDecoder()
    if let text = try? JSONEncoder().encode(key), let id = try? decoder.decode(type, from: text) {
      return id
    }
    return try? decoder.decode(type, from: Data(key.utf8))
  }
}
