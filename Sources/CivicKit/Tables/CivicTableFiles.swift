internal import FieldCore

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The tables of a folder, each a JSON file of its rows.
public enum CivicTableFiles {
  /// Reads the files of a folder that are named for a table, whatever the case of the letters, with or
  /// without the name of a city before it: `edm.json`, `tainan-administrativeUnit.json`. Others are left
  /// aside.
  ///
  /// - Throws: `FieldError` with the code `store.io` when the folder or a file cannot be read, and
  ///   `input.invalid` when two files are named for one table, or none for any.
  @concurrent
  public static func read(_ folder: URL) async throws -> [CivicTable: Data] {
    var tables: [CivicTable: Data] = [:]
    do {
      for name in try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() {
        guard let table = table(named: name) else { continue }
        guard tables[table] == nil else {
          throw FieldError(
            .invalidInput, "two files of \(folder.lastPathComponent) are named for \(table)")
        }
        tables[table] = try Data(contentsOf: folder.appending(path: name))
      }
    } catch {
      throw FieldError.wrapping(
        error, as: .io,
        "\(folder.path) cannot be read; give the folder that has the tables' files")
    }
    guard !tables.isEmpty else {
      throw FieldError(
        .invalidInput, "no file of \(folder.lastPathComponent) is named for a table, like edm.json")
    }
    return tables
  }

  /// The table that a file is named for; nil when it is none.
  static func table(named file: String) -> CivicTable? {
    let name = file.lowercased()
    // `._edm.json` is what a Mac leaves beside a file on another disk.
    guard name.hasSuffix(".json"), !name.hasPrefix(".") else { return nil }
    let stem = name.dropLast(5)
    return CivicTable.all.first { table in
      let word = table.rawValue.lowercased()
      return stem == word || stem.hasSuffix("-\(word)")
    }
  }
}
