internal import FieldCore
public import FieldFoundation

/// What the old app left on the device: the names and the counter in its user defaults, and a photo of
/// each record in its folder of documents.
///
/// ```swift
/// let old = LegacyZooData(
///   defaults: UserDefaults.standard.dictionaryRepresentation(), documents: documents)
/// let takeover = try await zoo.importLegacyData(old)
/// ```
///
/// | what | where |
/// |---|---|
/// | the number of the next record | `insertionID`; 0 when it is missing |
/// | the name of the record n | `nameOfID<n>`, or `idNameOf<n>`, the spelling of the app's README |
/// | the photo of the record n | `<n>.jpg` in the folder |
///
/// The old app wrote the three one after another, so any of them may be missing.
public struct LegacyZooData: Sendable {
  /// The greatest counter that is believed.
  static let greatestCounter = 1_000_000_000

  /// The number of the next record, as the defaults have it; nil when they have none that can be one.
  public var counter: Int?
  /// The names, by the numbers of their records.
  public var names: [Int: String]
  /// The folder with the photos.
  public var documents: URL
  /// The name of records that have a photo and no name; nil leaves them out, and reports them.
  public var nameOfUnnamed: String?

  /// Takes what is of the old app out of the defaults; other keys are left aside.
  ///
  /// - Parameters:
  ///   - defaults: The old app's user defaults, such as `UserDefaults.standard.dictionaryRepresentation()`.
  ///   - documents: The folder with the photos.
  ///   - nameOfUnnamed: The name of records that have a photo and no name; nil leaves them out.
  public init(defaults: [String: Any], documents: URL, nameOfUnnamed: String? = nil) {
    self.init(
      values: defaults.compactMapValues(OldValue.init), documents: documents,
      nameOfUnnamed: nameOfUnnamed)
  }

  /// Reads the old app's defaults from their file.
  ///
  /// - Parameters:
  ///   - propertyList: The file, in the binary form or as XML.
  ///   - documents: The folder with the photos.
  ///   - nameOfUnnamed: The name of records that have a photo and no name; nil leaves them out.
  /// - Throws: `FieldError` with the code `store.io` when the file cannot be read, and with the code
  ///   `rows.malformed` when it is no property list.
  public init(propertyList: URL, documents: URL, nameOfUnnamed: String? = nil) throws {
    let data: Data
    do {
      data = try Data(contentsOf: propertyList)
    } catch {
      throw FieldError(
        .io, "the old app's defaults at \(propertyList.path) cannot be read",
        operation: "zoo.importLegacyData", underlying: error)
    }
    do {
      let values = try PropertyListDecoder().decode([String: OldValue].self, from: data)
      self.init(values: values, documents: documents, nameOfUnnamed: nameOfUnnamed)
    } catch {
      throw FieldError(
        .malformed, "\(propertyList.path) is no property list with the old app's defaults",
        operation: "zoo.importLegacyData", underlying: error)
    }
  }

  private init(values: [String: OldValue], documents: URL, nameOfUnnamed: String?) {
    counter = values["insertionID"]?.number.flatMap { number in
      (0...Self.greatestCounter).contains(number) ? number : nil
    }
    names = [:]
    // If a record has both, the spelling of the app's code comes last and counts.
    for prefix in ["idNameOf", "nameOfID"] {
      for (key, value) in values where key.hasPrefix(prefix) {
        // Only the number as the app wrote it: "nameOfID07" is no name of record 7.
        guard let number = Int(key.dropFirst(prefix.count)), "\(prefix)\(number)" == key,
          (0..<Self.greatestCounter).contains(number), let text = value.text
        else { continue }
        names[number] = text
      }
    }
    self.documents = documents
    self.nameOfUnnamed = nameOfUnnamed
  }

  /// The numbers of all records of which anything is there or should be, in order.
  ///
  /// - Throws: `FieldError` with the code `store.io` when the folder is there and cannot be read; one
  ///   that is not there has no photos.
  func numbers() throws -> [Int] {
    var numbers = Set(names.keys)
    // A counter that was damaged must not make a list of a billion records that never were.
    numbers.formUnion(0..<min(counter ?? 0, 10_000))
    for file in try files() where file.hasSuffix(".jpg") {
      let name = file.dropLast(4)
      guard let number = Int(name), (0..<Self.greatestCounter).contains(number), "\(number)" == name
      else { continue }
      numbers.insert(number)
    }
    return numbers.sorted()
  }

  private func files() throws -> [String] {
    guard FileManager.default.fileExists(atPath: documents.path) else { return [] }
    do {
      return try FileManager.default.contentsOfDirectory(atPath: documents.path)
    } catch {
      throw FieldError(
        .io, "the old app's photos in \(documents.path) cannot be listed",
        operation: "zoo.importLegacyData", underlying: error)
    }
  }

  /// The file of a record's photo.
  func photo(of number: Int) -> URL { documents.appending(path: "\(number).jpg") }
}

/// A value of user defaults, as far as the old app used them.
private enum OldValue: Decodable {
  case number(Int)
  case text(String)
  case other

  init?(_ value: Any) {
    if let text = value as? String {
      self = .text(text)
    } else if let number = value as? Int {
      self = .number(number)
    } else {
      return nil
    }
  }

  init(from decoder: any Decoder) throws {
    // Each attempt fails for the other kinds, which is no failure of the file.
    guard let container = try? decoder.singleValueContainer() else {
      self = .other
      return
    }
    if let text = try? container.decode(String.self) {
      self = .text(text)
    } else if let number = try? container.decode(Int.self) {
      self = .number(number)
    } else {
      self = .other
    }
  }

  var text: String? { if case .text(let text) = self { text } else { nil } }

  var number: Int? {
    switch self {
    case .number(let number): number
    case .text(let text): Int(text)
    case .other: nil
    }
  }
}
