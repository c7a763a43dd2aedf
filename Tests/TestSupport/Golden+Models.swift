import Foundation
public import Testing

extension Golden {
  /// Expects the JSON of values to be that of the directory, to be the same after reading and writing it, and
  /// to have nothing in it that only the standard library understands.
  ///
  /// The values are in `models.json` under their names. When the golden files are written, so is this one.
  ///
  /// - Parameter retired: The names of models in the file whose types no longer exist, and which nothing reads.
  public func expectModels(
    _ models: [String: any Codable], retired: Set<String> = [],
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let document = try Self.modelJSON(models.mapValues(AnyModel.init))
    let file = url.appending(path: "models.json")
    if Self.isWriting {
      try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
      try document.write(to: file)
    }
    let golden = try Self.without(retired, in: Data(contentsOf: file))
    let lines = golden.split(separator: "\n")
    let today = String(decoding: document, as: UTF8.self).split(separator: "\n")
    let change = zip(lines, today).first { $0 != $1 }
    #expect(
      lines.count == today.count && change == nil,
      "golden: \(change?.0 ?? ""), now: \(change?.1 ?? "")",
      sourceLocation: sourceLocation)
    #expect(!golden.contains("\"_0\""), sourceLocation: sourceLocation)
    for (name, model) in models {
      try Self.expectRoundTrip(model, name, sourceLocation)
    }
  }

  /// Returns the text of a file of models without some of them.
  private static func without(_ names: Set<String>, in file: Data) throws -> String {
    var lines = String(decoding: file, as: UTF8.self).split(
      separator: "\n", omittingEmptySubsequences: false)
    for name in names {
      // A model begins in a line of its own that is indented by two blanks, and ends in such a line.
      let start = try #require(lines.firstIndex { $0.hasPrefix("  \"\(name)\" : ") })
      let end = lines[(start + 1)...].firstIndex { $0.hasPrefix("  ") && !$0.hasPrefix("   ") }
      lines.removeSubrange(start...(try #require(end)))
    }
    return lines.joined(separator: "\n")
  }

  private static func expectRoundTrip<Model: Codable>(
    _ model: Model, _ name: String, _ sourceLocation: SourceLocation
  ) throws {
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .iso8601
    let json = try modelJSON(model)
    let copy = try decoder.decode(Model.self, from: json)
    let isSame = try modelJSON(copy) == json
    #expect(isSame, "\(name): \(copy)", sourceLocation: sourceLocation)
    let isEqual = (model as? any Equatable).map { Self.isEqual($0, copy) } ?? true
    #expect(isEqual, "\(name): \(copy)", sourceLocation: sourceLocation)
  }

  private static func isEqual<Value: Equatable>(_ value: Value, _ other: Any) -> Bool {
    value == other as? Value
  }

  private static func modelJSON(_ value: some Encodable) throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
    encoder.dateEncodingStrategy = .iso8601
    return try encoder.encode(value)
  }

  private struct AnyModel: Encodable {
    var model: any Encodable

    func encode(to encoder: any Encoder) throws { try model.encode(to: encoder) }
  }
}
