internal import FieldKit
internal import Foundation

extension Suites {
  /// Runs csv-spectrum on the public readers of CSV.
  ///
  /// The readers know the columns of their own tables, so the header of each file is replaced by as many
  /// of those; every cell must come out as the suite's JSON says.
  static func csvSuites(in directory: URL) async throws -> [SuiteResult] {
    let folder = directory.appending(path: "csv-spectrum")
    guard FileManager.default.fileExists(atPath: folder.path) else {
      return [SuiteResult(name: "csv-spectrum", skipped: "the folder is missing")]
    }
    let files = try FileManager.default
      .contentsOfDirectory(atPath: folder.appending(path: "csvs").path).sorted()
    return try CSVReader.all.map { reader in
      var result = SuiteResult(name: "csv-spectrum on \(reader.name)")
      for file in files {
        let csv = try Data(contentsOf: folder.appending(path: "csvs/\(file)"))
        let json = try Data(
          contentsOf: folder.appending(path: "json/\(file.dropLast(4)).json"))
        result.record(file, try reader.difference(csv, json))
      }
      return result
    }
  }
}

/// A public entry point that reads CSV.
private struct CSVReader {
  var name: String
  var columns: [String]
  /// Returns the texts of the columns, row by row.
  var read: ([UInt8]) throws -> [[String]]

  static var all: [CSVReader] {
    [
      CSVReader(
        name: "Batch<ZooRecord>",
        columns: ["a_name_ch", "a_distribution", "a_habitat", "a_behavior", "a_diet"]
      ) { bytes in
        try Batch<ZooRecord>(reading: bytes).animals.map { animal in
          [
            animal.name, animal.distribution ?? "", animal.habitat ?? "", animal.behavior ?? "",
            animal.diet ?? "",
          ]
        }
      },
      CSVReader(name: "Batch<Meteorite>", columns: ["id", "name", "recclass", "fall", "nametype"]) {
        bytes in
        try Batch<Meteorite>(reading: bytes).records.map { meteorite in
          [
            meteorite.id.rawValue, meteorite.name,
            meteorite.classification == .unknown ? "" : meteorite.classification.rawValue,
            meteorite.fall == .unknown ? "" : meteorite.fall.rawValue,
            meteorite.nameType == .valid ? "" : meteorite.nameType.rawValue,
          ]
        }
      },
    ]
  }

  /// Returns what differs from the suite's JSON, or `nil` if nothing does.
  func difference(_ csv: Data, _ json: Data) throws -> String? {
    let lineBreaks: Set<UInt8> = [0x0A, 0x0D]
    guard let headerEnd = csv.firstIndex(where: lineBreaks.contains),
      case let value = try JSONSerialization.jsonObject(with: json),
      let expected = value as? [[String: String]] ?? (value as? [String: String]).map({ [$0] })
    else { return "the file isn't a table" }
    // The headers of the suite have no quotes in them.
    let names = String(decoding: csv[..<headerEnd], as: UTF8.self).split(separator: ",").map(
      String.init)
    let header = columns.prefix(names.count).joined(separator: ",")
    do {
      let rows = try read(Array(header.utf8) + csv[headerEnd...])
      for (index, row) in expected.enumerated() {
        let texts = names.map { row[$0] ?? "" }
        guard index < rows.count else { return "\(rows.count) rows instead of \(expected.count)" }
        let found = Array(rows[index].prefix(names.count))
        if found != texts { return "row \(index) is \(found) instead of \(texts)" }
      }
      return rows.count == expected.count ? nil : "\(rows.count) rows instead of \(expected.count)"
    } catch {
      return "\(error)"
    }
  }
}
