internal import FieldFoundation

/// The JSON form of `Codable` values in store files, with names for numbers that aren't finite.
package enum StoredJSON {
  private static let encoder: JSONEncoder = {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]  // equal values, equal bytes
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: "+inf", negativeInfinity: "-inf", nan: "nan")
    return encoder
  }()

  private static let decoder: JSONDecoder = {
    let decoder = JSONDecoder()
    decoder.nonConformingFloatDecodingStrategy = .convertFromString(
      positiveInfinity: "+inf", negativeInfinity: "-inf", nan: "nan")
    return decoder
  }()

  package static func encode(_ value: some Encodable) throws -> [UInt8] {
    [UInt8](try encoder.encode(value))
  }

  /// Encodes a checkpoint, mostly without Foundation's encoder.
  package static func encode(_ checkpoint: Checkpoint) throws -> [UInt8] {
    try CheckpointWriter.write(checkpoint) ?? [UInt8](encoder.encode(checkpoint))
  }

  /// Decodes a checkpoint, mostly without Foundation's decoder, whose first use takes long in a new process.
  package static func checkpoint(from bytes: ArraySlice<UInt8>) throws -> Checkpoint {
    try CheckpointReader.read(Array(bytes)) ?? decode(Checkpoint.self, from: bytes)
  }

  package static func decode<Value: Decodable>(
    _ type: Value.Type, from bytes: ArraySlice<UInt8>
  ) throws -> Value {
    try decoder.decode(type, from: Data(bytes))
  }
}
