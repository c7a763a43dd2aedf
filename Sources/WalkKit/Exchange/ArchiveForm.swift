internal import FieldFoundation

/// The header that identifies a document as an archive, read before anything else.
struct ArchiveHead: Decodable {
  static var name: String { "fieldkit.walks" }

  var format: String
  var version: Int
}

/// The content of an archive for writing, and for reading record by record.
struct ArchiveBody<APet, AWalk, APlace, AnAttachment> {
  var format: String
  var version: Int
  var exported: Date
  var pets: [APet]?
  var walks: [AWalk]?
  var places: [APlace]?
  var attachments: [AnAttachment]?
}

extension ArchiveBody: Encodable
where APet: Encodable, AWalk: Encodable, APlace: Encodable, AnAttachment: Encodable {}

extension ArchiveBody: Decodable
where APet: Decodable, AWalk: Decodable, APlace: Decodable, AnAttachment: Decodable {}

/// A record or the reason that it couldn't be read, so that one bad record doesn't fail its list.
struct Attempt<Record: Decodable>: Decodable {
  struct Failure: Error {
    var path: String
    var reason: String
  }

  let result: Result<Record, Failure>

  init(from decoder: any Decoder) {
    do {
      result = .success(try Record(from: decoder))
    } catch let error as DecodingError {
      result = .failure(Self.failure(error, in: decoder))
    } catch {
      result = .failure(Failure(path: "", reason: "\(error)"))
    }
  }

  private static func failure(_ error: DecodingError, in decoder: any Decoder) -> Failure {
    let context: DecodingError.Context? =
      switch error {
      case .typeMismatch(_, let context), .valueNotFound(_, let context),
        .keyNotFound(_, let context), .dataCorrupted(let context):
        context
      @unknown default: nil
      }
    let keys = (context?.codingPath ?? []).dropFirst(decoder.codingPath.count)
    let path = keys.map { key in key.intValue.map { "[\($0)]" } ?? key.stringValue }
    return Failure(
      path: path.joined(separator: "."), reason: context?.debugDescription ?? "\(error)")
  }
}
