public import FieldCore
public import FieldFoundation

/// An entire diary in one document, for a backup or a transfer to another device.
///
/// ```swift
/// let archive = WalkArchive(pets: pets, walks: walks, places: places, exported: clock.now)
/// try archive.json().write(to: file)
/// let back = try WalkArchive(reading: try Data(contentsOf: file))
/// ```
///
/// The archive contains all values of pets, walks, and places exactly. The bytes of photos and
/// routes, which a diary keeps beside its records, are in ``attachments`` if you put them there.
public struct WalkArchive: Sendable, Hashable {
  /// The version of the format that this code writes.
  ///
  /// Version 1 writes durations as pairs of numbers, version 2 as seconds. Both can be read.
  public static var formatVersion: Int { 2 }

  /// The pets.
  public var pets: [Pet]
  /// The walks.
  public var walks: [Walk]
  /// The places.
  public var places: [Place]
  /// The bytes of photos and routes that belong to pets and walks.
  public var attachments: [Attachment]
  /// The date on which the archive was created.
  public var exported: Date
  /// The problems found when the archive was read; empty for one that wasn't read.
  public private(set) var problems: [ImportProblem] = []

  /// Creates an archive.
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

  /// The bytes that a record refers to.
  public struct Attachment: Sendable, Hashable, Codable {
    /// The ID that the record refers to, which is derived from the bytes.
    public let id: BlobID
    /// The bytes, which are Base64 in the document.
    public let bytes: Data

    /// Creates an attachment.
    public init(_ bytes: Data) {
      id = BlobID(of: [UInt8](bytes))
      self.bytes = bytes
    }

    /// Creates an attachment from its encoded form, and throws if the bytes don't match the ID.
    public init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      let id = try container.decode(BlobID.self, forKey: .id)
      self.init(try container.decode(Data.self, forKey: .bytes))
      guard id == self.id else {
        throw DecodingError.dataCorruptedError(
          forKey: .bytes, in: container, debugDescription: "The bytes don't match the ID.")
      }
    }
  }

  /// Creates an archive by reading a document.
  ///
  /// Records that can't be read are listed in ``problems``, and the others are read. Unknown keys
  /// are ignored.
  ///
  /// - Throws: `FieldError` with the code `input.invalid` if the document is larger than the limit,
  ///   `store.newerFormat` if a newer version wrote it, `rows.schema` if it isn't an archive, and
  ///   the codes for bodies that aren't JSON, such as `rows.cut`.
  public init(reading data: Data, sizeLimit: Int = 256 << 20) throws {
    try WalkImport.check(data, sizeLimit)
    let data = Data(try JSONDocument.streamSafe([UInt8](data)))
    let decoder = Self.decoder
    do {
      let head = try decoder.decode(ArchiveHead.self, from: data)
      guard head.format == ArchiveHead.name, head.version >= 1 else {
        throw FieldError(.schema, "The document isn't an archive of walks.")
      }
      guard head.version <= Self.formatVersion else {
        throw FieldError(
          .newerFormat,
          "The archive has version \(head.version), but \(Self.formatVersion) is the newest known. "
            + "Update the app.")
      }
      let body = try decoder.decode(
        ArchiveBody<Attempt<Pet>, Attempt<Walk>, Attempt<Place>, Attempt<Attachment>>.self,
        from: data)
      guard body.exported.timeIntervalSinceReferenceDate.isFinite else {
        throw FieldError(.schema, "The date of the archive isn't a number.")
      }
      self.init(pets: [], walks: [], exported: body.exported)
      pets = usable(body.pets, "pets", objection: \.flaw)
      walks = usable(body.walks, "walks", objection: \.flaw)
      places = usable(body.places, "places")
      attachments = usable(body.attachments, "attachments")
    } catch let error as DecodingError {
      throw FieldError(.schema, "The document isn't an archive of walks.", underlying: error)
    }
  }

  /// Returns the archive as UTF-8 JSON; equal archives produce equal bytes.
  ///
  /// - Throws: `FieldError` with the code `input.invalid` if a value can't be written.
  public func json() throws -> Data {
    do {
      return try Self.encoder.encode(
        ArchiveBody(
          format: ArchiveHead.name, version: Self.formatVersion, exported: exported, pets: pets,
          walks: walks, places: places, attachments: attachments))
    } catch {
      throw FieldError(.invalidInput, "The archive can't be written.", underlying: error)
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
          ImportProblem(path: "\(name)[\(index)]\(place)", loss: .record, reason: failure.reason))
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
