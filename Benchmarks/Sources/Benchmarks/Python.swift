import Foundation

/// Python's readers of rows and feeds, in one process that runs a reader once when it gets its name.
final class Python {
  static let feed = "feed.xml"
  let folder: URL
  /// The files in the folder and the readers of each that are installed.
  private(set) var readers: [(file: String, reader: String)] = []
  private let process = Process()
  private let input = Pipe()
  private let output = Pipe()

  /// Writes the rows in each format, and starts a process; returns `nil` if there is no Python.
  init?(reading workbench: Workbench) throws {
    folder = workbench.path("formats")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try Data(workbench.ndjson).write(to: folder.appending(path: "rows.ndjson"))
    try Data(FeedBenchmarks.feed.utf8).write(to: folder.appending(path: Self.feed))
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["python3", "-c", Self.script, folder.path]
    process.standardInput = input
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    readers = line().split(separator: ",").compactMap { name in
      let parts = name.split(separator: "|").map(String.init)
      return parts.count == 2 ? (parts[0], parts[1]) : nil
    }
    if readers.isEmpty { return nil }
  }

  /// Runs a reader once; the answer is the one of ``answer(_:)`` for the IDs that were read.
  func run(_ reader: String, _ file: String) throws -> Run<String> {
    try input.fileHandleForWriting.write(contentsOf: Data("\(file)|\(reader)\n".utf8))
    return try Self.run(line(), "Python's \(reader) failed for \(file)")
  }

  /// Reads what a script printed: the cost, and then the answer.
  static func run(_ line: String, _ failure: @autoclosure () -> String) throws -> Run<String> {
    let words = line.split(separator: " ", maxSplits: 1)
    guard words.count == 2, let nanoseconds = Double(words[0]) else {
      throw WrongResult(description: failure())
    }
    return Run(cost: nanoseconds, answer: String(words[1]))
  }

  static func answer(_ ids: [String]) -> String {
    "\(ids.count) \(ids.reduce(0) { $0 + (Int($1) ?? 0) })"
  }

  func end() {
    try? input.fileHandleForWriting.close()
    process.waitUntilExit()
  }

  private func line() -> String {
    var bytes = Data()
    while bytes.last != UInt8(ascii: "\n") {
      let more = output.fileHandleForReading.availableData
      if more.isEmpty { break }
      bytes += more
    }
    return String(decoding: bytes, as: UTF8.self).trimmingCharacters(in: .newlines)
  }

  private static let script = """
    import csv, io, json, sys, time
    import xml.etree.ElementTree as ElementTree
    folder = sys.argv[1] + '/'
    ndjson = open(folder + 'rows.ndjson', 'rb').read()
    feed = open(folder + 'feed.xml', 'rb').read()
    rows = [json.loads(line) for line in ndjson.splitlines()]
    names = list(dict.fromkeys(name for row in rows for name in row))
    place = names.index('id')
    table = {'meta': {'view': {'columns': [{'fieldName': n} for n in names]}},
             'data': [[row.get(n) for n in names] for row in rows]}
    positional = json.dumps(table, ensure_ascii=False).encode()
    array = b'[' + b'\\n,'.join(ndjson.splitlines()) + b']\\n'
    columns = [n for n in names if n != 'geolocation']
    text = io.StringIO()
    writer = csv.DictWriter(text, columns, extrasaction='ignore')
    writer.writeheader()
    writer.writerows(rows)
    sheet = text.getvalue()
    for file, data in [('rows.json', positional), ('array.json', array), ('sheet.csv', sheet.encode())]:
        open(folder + file, 'wb').write(data)
    def items():
        fields = ['guid', 'title', 'link', 'pubDate', 'description']
        return [[item.findtext(field) for field in fields]
                for item in ElementTree.fromstring(feed).iter('item')]
    ids = lambda rows: [row['id'] for row in rows]
    readers = {
        'rows.json|json.loads': (lambda: json.loads(positional), lambda t: [r[place] for r in t['data']]),
        'array.json|json.loads': (lambda: json.loads(array), ids),
        'sheet.csv|csv.reader': (lambda: list(csv.reader(io.StringIO(sheet))),
                                 lambda rows: [r[columns.index('id')] for r in rows[1:]]),
        'feed.xml|ElementTree': (items, lambda items: [item[0] for item in items]),
    }
    try:
        import orjson
        readers['array.json|orjson.loads'] = (lambda: orjson.loads(array), ids)
        readers['rows.ndjson|orjson.loads'] = (
            lambda: [orjson.loads(line) for line in ndjson.splitlines()], ids)
    except ImportError:
        pass
    try:
        import polars
        encoded = sheet.encode()
        readers['sheet.csv|polars.read_csv'] = (lambda: polars.read_csv(encoded), lambda t: t['id'])
    except ImportError:
        pass
    try:
        import simdjson
        parser = simdjson.Parser()
        # Finds the tokens; values are read from them later.
        readers['array.json|simdjson.parse'] = (lambda: parser.parse(array), ids)
    except ImportError:
        pass
    print(','.join(readers), flush=True)
    for line in sys.stdin:
        read, ids_of = readers[line.strip()]
        start = time.process_time_ns()
        result = read()
        cost = time.process_time_ns() - start
        found = [int(id) for id in ids_of(result)]
        print(cost, len(found), sum(found), flush=True)
        del result
    """
}
