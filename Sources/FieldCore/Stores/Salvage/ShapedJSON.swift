internal import FieldFoundation

/// A record in the default coding, regardless of its type, which is encoded as the JSON of that type would be.
package struct ShapedJSON: Codable {
  private indirect enum Content {
    case null
    case plain(any Encodable)
    case array([ShapedJSON])
    case object([String: ShapedJSON])
  }

  private let content: Content

  package init(from decoder: any Decoder) throws {
    guard let decoder = decoder as? ShapeDecoder else {
      throw FieldError(.damaged, "A record isn't in the default coding.")
    }
    func plain<Value: Codable>(_ type: Value.Type) throws -> Content {
      .plain(try decoder.decodeSelf(type))
    }
    switch decoder.kind {
    case .bool: content = try plain(Bool.self)
    case .int: content = try plain(Int64.self)
    case .uint: content = try plain(UInt64.self)
    case .double: content = try plain(Double.self)
    case .float: content = try plain(Float.self)
    case .decimal: content = try plain(Decimal.self)
    case .int128: content = try plain(Int128.self)
    case .uint128: content = try plain(UInt128.self)
    case .text, .bytes, .uuid: content = try plain(String.self)
    case .array:
      var values = try decoder.unkeyedContainer()
      var array: [ShapedJSON] = []
      while !values.isAtEnd { array.append(try values.decode(ShapedJSON.self)) }
      content = .array(array)
    case .map, .record:
      let values = try decoder.container(keyedBy: PathKey.self)
      var object: [String: ShapedJSON] = [:]
      for key in values.allKeys {
        object[key.stringValue] = try values.decode(ShapedJSON.self, forKey: key)
      }
      content = .object(object)
    case .null, .absent, .any, .unknown, .id, .union: content = .null
    }
  }

  package func encode(to encoder: any Encoder) throws {
    switch content {
    case .null:
      var value = encoder.singleValueContainer()
      try value.encodeNil()
    case .plain(let plain):
      var value = encoder.singleValueContainer()
      try value.encode(plain)
    case .array(let array): try array.encode(to: encoder)
    case .object(let object): try object.encode(to: encoder)
    }
  }
}
