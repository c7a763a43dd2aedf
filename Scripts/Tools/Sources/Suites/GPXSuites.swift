internal import FieldXML
internal import Foundation

extension Suites {
  /// The test files of gpxpy: the number of points is that of the start tags in the file, and nothing is
  /// reported as unreadable.
  static func gpxSuites(in directory: URL) async throws -> [SuiteResult] {
    var result = SuiteResult(name: "gpxpy test_files on GPXDocument")
    let files = files(in: directory.appending(path: "gpxpy/test_files"), ending: ".gpx")
    if files.isEmpty { result.skipped = "gpxpy/test_files is missing" }
    for file in files {
      result.record(file.lastPathComponent, failure(in: file))
    }
    return [result]
  }

  private static func failure(in file: URL) -> String? {
    do {
      let data = try Data(contentsOf: file)
      let document = try GPXDocument(data: data)
      if let fault = document.fault { return fault.description }
      if let failure = (document.failures + document.unreadableValues).first {
        return failure.reason
      }
      let text = String(decoding: data, as: UTF8.self)
      for (name, count) in [
        ("trkpt", document.trackPointCount), ("wpt", document.waypoints.count),
        ("rtept", document.routes.reduce(0) { $0 + $1.pointCount }),
        ("ele", nil), ("trk", document.tracks.count),
      ] {
        guard let count else { continue }
        let expected = text.components(separatedBy: "<\(name)").dropFirst().count { rest in
          rest.first.map { $0.isWhitespace || $0 == ">" || $0 == "/" } ?? false
        }
        if count != expected { return "\(count) elements \(name), expected \(expected)" }
      }
      return nil
    } catch {
      return "\(error)"
    }
  }
}
