import Foundation

/// LMDB, used by Python: the limit of a look-up in a new process.
enum LMDB {
  /// Fills a database with the rows of a file, a JSON object a line, by their IDs; returns whether Python has LMDB.
  static func fill(_ database: URL, from ndjson: URL) throws -> Bool {
    let script = """
      import json, sys
      try:
          import lmdb
      except ImportError:
          sys.exit()
      with lmdb.open(sys.argv[1], map_size=1 << 30).begin(write=True) as writing:
          for line in open(sys.argv[2], 'rb'):
              writing.put(json.loads(line)['id'].encode(), line)
      print('filled')
      """
    return try run(script, [database.path, ndjson.path]) == "filled"
  }

  /// Looks up a row in a new process; the answer is its name, and the cost begins with opening the database.
  static func lookUp(_ id: String, in database: URL) throws -> Run<String> {
    let script = """
      import json, lmdb, sys, time
      start = time.process_time_ns()
      with lmdb.open(sys.argv[1], readonly=True).begin() as reading:
          row = reading.get(sys.argv[2].encode())
      print(time.process_time_ns() - start, json.loads(row)['name'])
      """
    return try Python.run(try run(script, [database.path, id]), "LMDB failed for \(id)")
  }

  private static func run(_ script: String, _ arguments: [String]) throws -> String {
    let output = try NewProcess.run(
      ["python3", "-c", script] + arguments, of: URL(filePath: "/usr/bin/env"))
    return String(decoding: output, as: UTF8.self).trimmingCharacters(in: .newlines)
  }
}
