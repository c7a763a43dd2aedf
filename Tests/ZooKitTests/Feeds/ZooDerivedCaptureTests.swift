import FieldCore
import Foundation
import TestSupport
import Testing
import ZooKit

/// Captures that nobody has made yet: the one of 2026 in other keys, wrappers, encodings and forms, by
/// Python, which also says what is in them.
@Suite("A capture of another year", .heavy, .timeLimit(.minutes(60)))
struct ZooDerivedCaptureTests {
  private struct Capture: Decodable {
    var file: String
    var rows: [Row]
  }

  private struct Row: Decodable, Equatable {
    var name: String
    var latinName: String
    var conservation: String
    /// Latitude and longitude.
    var places: [[Double]]
  }

  @Test(
    "a capture of another year has the values that Python put into it",
    .enabled(if: SharedData.isThere, "the captures of ../shared are not here"),
    .enabled(if: Tool.isThere("python3"), "Python isn't installed"))
  func derived() throws {
    let folder = try TemporaryFolder()
    let manifest = try Tool.run(
      "python3", "-c", Self.script,
      SharedData.url("zoo/animals-v1-2026-full.json").path, folder.url.path)
    let captures = try JSONDecoder().decode([Capture].self, from: manifest)
    #expect(captures.count == 19)
    // The largest has ten times as many rows as the others.
    let tried = captures.filter { Sample.isOptimized || Sample.isWhole || $0.rows.count < 1_000 }
    for capture in Sample.of(tried, 5, inDebug: 2) {
      let bytes = [UInt8](try Data(contentsOf: folder.url.appending(path: capture.file)))
      let delivery = try Batch<ZooRecord>(reading: bytes)
      #expect(delivery.table == .animals, "\(capture.file)")
      #expect(delivery.failures.isEmpty, "\(capture.file)")
      #expect(Set(delivery.animals.map(\.id)).count == capture.rows.count, "\(capture.file)")
      let rows = delivery.animals.map { animal in
        Row(
          name: animal.name, latinName: animal.latinName ?? "",
          conservation: animal.conservationText ?? "",
          places: animal.places.map { [$0.latitude, $0.longitude] })
      }
      #expect(rows.count == capture.rows.count, "\(capture.file)")
      let wrong = zip(rows, capture.rows).first { $0 != $1 }
      #expect(wrong == nil, "\(capture.file)")
    }
  }

  /// Writes the captures into a folder, and prints what is in each.
  private static let script = #"""
    import csv, io, json, random, sys
    random.seed(20261121)
    rows = json.load(open(sys.argv[1], encoding='utf-8'))['result']['results']
    made = []
    def told(r):
        return dict(name=r['a_name_ch'], latinName=r['a_name_latin'],
            conservation=r['a_conservation'],
            places=[[float(r['a_latitude']), float(r['a_longitude'])]])
    def put(name, text, of, encoding='utf-8'):
        with open(sys.argv[2] + '/' + name, 'wb') as file: file.write(text.encode(encoding))
        made.append(dict(file=name, rows=[told(r) for r in of]))
    def keyed(change, of=rows): return [{change(k): v for k, v in r.items()} for r in of]
    def answer(of): return {'result': {'limit': 1000, 'offset': 0, 'count': len(of), 'results': of}}
    def text(value, **more): return json.dumps(value, ensure_ascii=False, **more)
    put('upper.json', text(answer(keyed(str.upper))), rows)
    put('title.json', text(answer(keyed(str.title))), rows)
    put('marks.json', text(answer(keyed(lambda k: '\ufeff ' + k + ' '))), rows)
    put('escapes.json', json.dumps(answer(keyed(lambda k: '\ufeff' + k))), rows)
    put('array.json', '\ufeff' + text(rows), rows)
    put('lines.json', '\n'.join(text(r) for r in rows), rows)
    put('crlf.json', text(answer(rows), indent='\t').replace('\n', '\r\n'), rows)
    put('records.json', text({'result': {'records': rows, 'total': len(rows)}}), rows)
    put('behind.json', text({'success': True, 'result': {'results': rows, 'count': '313'}}), rows)
    put('tenfold.json', text(answer(rows * 10)), rows * 10)
    mixed = random.sample(rows, len(rows))
    put('mixed.json', text(answer([dict(random.sample(list(r.items()), len(r))) for r in mixed])), mixed)
    put('nulls.json', text(answer([{k: v or None for k, v in r.items()} for r in rows])), rows)
    put('numbers.json', text(answer([dict(r, a_longitude=float(r['a_longitude']),
        a_latitude=float(r['a_latitude']), _id=str(r['_id'])) for r in rows])), rows)
    put('swapped.json', text(answer([dict(r, a_longitude=r['a_latitude'],
        a_latitude=r['a_longitude']) for r in rows])), rows)
    forms = ['MULTIPOINT ((%s %s))', 'MULTIPOINT (( %s %s))', 'MULTIPOINT ((%s %s)',
        'MULTIPOINT((%s,%s))', 'POINT (%s %s)', '%s,%s', 'SRID=4326;POINT(%s %s)',
        'MULTIPOINT ((%s\u3000%s))', 'MULTIPOINT （（%s %s））', 'MULTIPOINT Z ((%s %s 12.5))', None]
    def shaped(index, r):
        form = forms[index % len(forms)]
        if form is None: return r
        r = dict(r)
        r['a_geo'] = form % (r.pop('a_longitude').strip(), r.pop('a_latitude').strip())
        return r
    put('shapes.json', text(answer([shaped(i, r) for i, r in enumerate(rows)])), rows)
    plain = [{k: v for k, v in r.items() if k[0] != '_'} for r in rows]
    def table(of, **dialect):
        file = io.StringIO(newline='')
        writer = csv.DictWriter(file, list(of[0]), **dialect)
        writer.writeheader()
        writer.writerows(of)
        return file.getvalue()
    put('plain.csv', table(plain, lineterminator='\n'), rows)
    put('quoted.csv', '\ufeff' + table(plain, quoting=csv.QUOTE_ALL), rows)
    put('semicolons.csv', table(plain, delimiter=';') + '\r\n', rows)
    chinese = [{k: v.encode('cp950', 'ignore').decode('cp950') for k, v in r.items()} for r in plain]
    put('big5.csv', table(chinese), chinese, 'cp950')
    print(json.dumps(made))
    """#
}
