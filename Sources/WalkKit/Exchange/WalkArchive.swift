public import FieldCore
public import FieldFoundation

/// Everything of a diary in one document: a backup, or the way to another device.
///
/// ```swift
/// let archive = WalkArchive(pets: pets, walks: walks, places: places, exported: clock.now)
/// try archive.json().write(to: file)
/// let back = try WalkArchive(reading: try Data(contentsOf: file))
/// ```
///
/// All values of pets, walks and places are in it to the last digit. Bytes that a diary keeps beside its
/// records, of photos and routes, are in ``attachments`` as far as the caller puts them there.
public struct WalkArchive: Sendable, Hashable {
  /// The version of the form that this code writes.
  ///
  /// Version 1 has durations as pairs of numbers, version 2 as seconds. Both are read.
  public static var formatVersion: Int { 2 }

  /// The pets.
  public var pets: [Pet]
  /// The walks.
  public var walks: [Walk]
  /// The places.
  public var places: [Place]
  /// The bytes of photos and routes that belong to pets and walks.
  public var attachments: [Attachment]
  /// When the archive was made.
  public var exported: Date
  /// What could not be used when the archive was read; empty for one that was made here.
  public private(set) var problems: [ImportProblem] = []

  /// Makes an archive.
  public init(
    pets: [Pet], walks: [Walk], places: [Place] = [], attachments: [Attachment] = [],
    exported: Date
  ) {
    self.pets = pets
    self.walks = walks
    self.places = places
    self.attachments = attachments
    self.exported = exported
  }

  /// Some bytes that a record refers to.
  public struct Attachment: Sendable, Hashable, Codable {
    /// What the record calls them, which is made of the bytes.
    public let id: BlobID
    /// The bytes; Base64 in the document.
    public let bytes: Data

    /// Makes an attachment.
    public init(_ bytes: Data) {
      id = BlobID(of: [UInt8](bytes))
      self.bytes = bytes
    }

    /// Reads an attachment; bytes that are not those of the id are refused.
    public init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      let id = try container.decode(BlobID.self, forKey: .id)
      self.init(try container.decode(Data.self, forKey: .bytes))
      guard id == self.id else {
        throw DecodingError.dataCorruptedError(
          forKey: .bytes, in: container, debugDescription: "the bytes are not those of the id")
      }
    }

    private enum CodingKeys: String, CodingKey {
      case id, bytes
    }
  }
}

extension WalkArchive {
  /// Reads an archive.
  ///
  /// A record that cannot be read is among ``problems``, and the others are there. Keys that are not known
  /// here are passed over.
  ///
  /// - Throws: `FieldError` with the code `input.invalid` when the document is larger than the limit,
  ///   `store.newerFormat` when a newer version has written it, `rows.schema` when it is no archive,
  ///   and those of bodies that are no JSON, such as `rows.cut`.
  public init(reading data: Data, sizeLimit: Int = 256 << 20) throws {
    try WalkImportLimit.check(data, sizeLimit)
    try JSONDocument.validate([UInt8](data))
    let decoder = Self.decoder
    do {
      let head = try decoder.decode(ArchiveHead.self, from: data)
      guard head.format == ArchiveHead.name, head.version >= 1 else {
        throw FieldError(.schema, "the document is no archive of walks")
      }
      guard head.version <= Self.formatVersion else {
        throw FieldError(
          .newerFormat,
          "the archive has version \(head.version), and this code reads \(Self.formatVersion); "
            + "update it")
      }
      let body = try decoder.decode(
        ArchiveBody<Attempt<Pet>, Attempt<Walk>, Attempt<Place>, Attempt<Attachment>>.self,
        from: data)
      self.init(pets: [], walks: [], exported: body.exported)
      pets = usable(body.pets, "pets", objection: \.flaw)
      walks = usable(body.walks, "walks", objection: \.flaw)
      places = usable(body.places, "places")
      attachments = usable(body.attachments, "attachments")
    } catch let error as DecodingError {
      throw FieldError(.schema, "the document is no archive of walks", underlying: error)
    }
  }

  /// The archive as JSON in UTF-8; equal archives give equal bytes.
  ///
  /// - Throws: `FieldError` with the code `input.invalid` when a value cannot be written.
  public func json() throws -> Data {
    do {
      return try Self.encoder.encode(
        ArchiveBody(
          format: ArchiveHead.name, version: Self.formatVersion, exported: exported, pets: pets,
          walks: walks, places: places, attachments: attachments))
    } catch {
      throw FieldError(.invalidInput, "the archive cannot be written", underlying: error)
    }
  }

  private mutating func usable<Record>(
    _ attempts: [Attempt<Record>]?, _ name: String,
    objection: (Record) -> String? = { _ in nil }
  ) -> [Record] {
    (attempts ?? []).enumerated().compactMap { index, attempt in
      switch attempt.result {
      case .success(let record):
        guard let reason = objection(record) else { return record }
        problems.append(ImportProblem(path: "\(name)[\(index)]", loss: .record, reason: reason))
        return nil
      case .failure(let failure):
        let place = failure.path.isEmpty ? "" : ".\(failure.path)"
        problems.append(
          ImportProblem(
            path: "\(name)[\(index)]\(place)", loss: .record, reason: failure.reason))
        return nil
      }
    }
  }

  private static var encoder: JSONEncoder {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: "Infinity", negativeInfinity: "-Infinity", nan: "NaN")
    return encoder
  }

  private static var decoder: JSONDecoder {
    let decoder = JSONDecoder()
    decoder.nonConformingFloatDecodingStrategy = .convertFromString(
      positiveInfinity: "Infinity", negativeInfinity: "-Infinity", nan: "NaN")
    return decoder
  }
}
