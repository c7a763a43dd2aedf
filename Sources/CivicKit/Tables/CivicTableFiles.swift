internal import FieldCore
public import FieldFoundation

/// A reader of tables from a folder that contains one JSON file for each table.
public enum CivicTableFiles {
  /// Reads the files in a folder that are named for a table.
  ///
  /// A file name is the name of a table in any case, optionally after a prefix such as the name of
  /// a city: `edm.json`, `tainan-administrativeUnit.json`. Other files are skipped.
  ///
  /// - Throws: `FieldError` with the code `store.io` if the folder or a file can't be read, and
  ///   `input.invalid` if two files are named for one table, or no file is named for any.
  @concurrent
  public static func read(_ folder: URL) async throws -> [CivicTable: Data] {
    try await files(in: folder).mapValues(\.data)
  }

  /// The rows of a table as JSON, with a name for messages.
  struct File {
    var name: String
    var data: Data
  }

  /// Reads the files in a folder as ``read(_:)`` does, with their names.
  static func files(in folder: URL) async throws -> [CivicTable: File] {
    var tables: [CivicTable: File] = [:]
    let names = try await FieldError.wrapping(
      "\(folder.path) can't be read. Pass the folder that contains the tables' files."
    ) { try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() }
    for name in names {
      guard let table = table(named: name) else { continue }
      if let other = tables[table] {
        throw FieldError(
          .invalidInput,
          "Two files in \(folder.lastPathComponent) are named for \(table): "
            + "\(other.name) and \(name).")
      }
      let file = folder.appending(path: name)
      let data = try await FieldError.wrapping(
        "\(file.path) can't be read. Check its permissions."
      ) { try Data(contentsOf: file) }
      tables[table] = File(name: name, data: data)
    }
    guard !tables.isEmpty else {
      throw FieldError(
        .invalidInput,
        "No file in \(folder.lastPathComponent) is named for a table, such as edm.json.")
    }
    return tables
  }

  /// Returns the table that a file is named for, or `nil` if there is none.
  static func table(named file: String) -> CivicTable? {
    let name = file.lowercased()
    // macOS leaves `._edm.json` beside a file on a foreign disk.
    guard name.hasSuffix(".json"), !name.hasPrefix(".") else { return nil }
    let stem = name.dropLast(5)
    return CivicTable.all.first { table in
      let word = table.rawValue.lowercased()
      return stem == word || stem.hasSuffix("-\(word)")
    }
  }
}
