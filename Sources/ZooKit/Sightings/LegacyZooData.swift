internal import FieldCore
public import FieldFoundation

/// The data of the old app: names and a counter in its user defaults, and a photo of each record in
/// its documents folder.
///
/// ```swift
/// let old = LegacyZooData(
///   defaults: UserDefaults.standard.dictionaryRepresentation(), documents: documents)
/// let report = try await zoo.importLegacyData(old)
/// ```
///
/// | Content | Location |
/// |---|---|
/// | the number of the next record | `insertionID`; 0 if it is missing |
/// | the name of record n | `nameOfID<n>`, or `idNameOf<n>`, the spelling in the app's README |
/// | the photo of record n | `<n>.jpg` in the folder |
///
/// The old app wrote the three one after another, so any of them may be missing.
public struct LegacyZooData: Sendable {
  static let greatestCounter = 1_000_000_000

  /// The number of the next record, or `nil` if the defaults contain no plausible number.
  public var counter: Int?
  /// The names by record number.
  public var names: [Int: String]
  /// The folder that contains the photos.
  public var documents: URL
  /// The name for records with a photo but no name, or `nil` to skip and report them.
  public var nameOfUnnamed: String?

  /// Creates the data from the old app's defaults, ignoring other keys.
  ///
  /// - Parameters:
  ///   - defaults: The old app's user defaults, such as
  ///     `UserDefaults.standard.dictionaryRepresentation()`.
  ///   - documents: The folder that contains the photos.
  ///   - nameOfUnnamed: The name for records with a photo but no name. By default, they are
  ///     skipped.
  public init(defaults: [String: Any], documents: URL, nameOfUnnamed: String? = nil) {
    self.init(
      values: defaults.mapValues(OldValue.init), documents: documents, nameOfUnnamed: nameOfUnnamed)
  }

  /// Creates the data from the file of the old app's defaults.
  ///
  /// - Parameters:
  ///   - propertyList: The file, as a binary or XML property list.
  ///   - documents: The folder that contains the photos.
  ///   - nameOfUnnamed: The name for records with a photo but no name. By default, they are
  ///     skipped.
  /// - Throws: `FieldError` with the code `store.io` if the file can't be read, or
  ///   `rows.malformed` if it isn't a property list.
  public init(propertyList: URL, documents: URL, nameOfUnnamed: String? = nil) throws {
    let data: Data
    do {
      data = try Data(contentsOf: propertyList)
    } catch {
      throw FieldError(
        .io, "The old app's defaults at \(propertyList.path) can't be read.",
        operation: "zoo.importLegacyData", underlying: error)
    }
    do {
      let values = try PropertyListDecoder().decode([String: OldValue].self, from: data)
      self.init(values: values, documents: documents, nameOfUnnamed: nameOfUnnamed)
    } catch {
      throw FieldError(
        .malformed, "\(propertyList.path) isn't a property list with the old app's defaults.",
        operation: "zoo.importLegacyData", underlying: error)
    }
  }

  private init(values: [String: OldValue], documents: URL, nameOfUnnamed: String?) {
    counter = values["insertionID"]?.number.flatMap { number in
      (0...Self.greatestCounter).contains(number) ? number : nil
    }
    names = [:]
    // If a record has both, the spelling of the app's code comes last and is used.
    for prefix in ["idNameOf", "nameOfID"] {
      for (key, value) in values where key.hasPrefix(prefix) {
        guard let number = Self.number(key.dropFirst(prefix.count)), let text = value.text else {
          continue
        }
        names[number] = text
      }
    }
    self.documents = documents
    self.nameOfUnnamed = nameOfUnnamed
  }

  /// Returns the numbers of all records that exist or should exist, in order.
  ///
  /// - Throws: `FieldError` with the code `store.io` if the folder exists but can't be read. A
  ///   missing folder has no photos.
  func numbers() throws -> [Int] {
    var numbers = Set(names.keys)
    // A damaged counter mustn't lead to a list of a billion records that never existed.
    numbers.formUnion(0..<min(counter ?? 0, 10_000))
    numbers.formUnion(
      try files().filter { $0.hasSuffix(".jpg") }.compactMap { Self.number($0.dropLast(4)) })
    return numbers.sorted()
  }

  /// Returns a number as the app wrote it: "nameOfID07" isn't the name of record 7.
  private static func number(_ digits: Substring) -> Int? {
    Int(digits).flatMap { (0..<greatestCounter).contains($0) && "\($0)" == digits ? $0 : nil }
  }

  private func files() throws -> [String] {
    guard try LocalFile.exists(at: documents.path) else { return [] }
    do {
      return try FileManager.default.contentsOfDirectory(atPath: documents.path)
    } catch {
      throw FieldError(
        .io, "The old app's photos in \(documents.path) can't be listed.", underlying: error)
    }
  }

  func photo(of number: Int) -> URL { documents.appending(path: "\(number).jpg") }
}

/// A value of user defaults, limited to the types that the old app used.
private struct OldValue: Decodable {
  let text: String?
  let number: Int?

  init(_ value: Any) {
    text = value as? String
    number = text.map { Int($0) } ?? value as? Int
  }

  init(from decoder: any Decoder) throws {
    // Each attempt fails for the other types, which isn't an error of the file.
    text = try? String(from: decoder)
    number = text.map { Int($0) } ?? (try? Int(from: decoder))
  }
}
