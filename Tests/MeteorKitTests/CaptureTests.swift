import Foundation
import MeteorKit
import TestSupport
import Testing

/// The real files of several generations, against Python's readers of the same bytes.
@Suite(
  "The real captures", .heavy,
  .enabled(if: SharedData.isThere, "the captures of ../shared are not here"))
struct CaptureTests {
  static let official = "meteor/full_legacy_Meteorite_Landings_2025.csv"
  static let derived = "meteor/derived/full_soda_point_with_system_fields.ndjson.gz"
  static let excerpt = "meteor/legacy_rows_json_excerpt.json"
  static let pages = [
    "meteor/legacy_static_gh4g-9sfh_2026_location_crlf.json", "meteor/soda_page1_2016.geojson",
    "meteor/soda_y77d_page1_2021_point.ndjson",
    "meteor/soda_y77d_page1_2024_point_keys_sorted.json",
  ]

  /// All rows of the official file, read once.
  static let all = Result { try Batch<Meteorite>(reading: SharedData.bytes(official)) }

  /// A catalog of the official file, refreshed once for the tests that only read it.
  private static let loaded = Task {
    let catalog = MeteoriteCatalog(
      source: FileRows<Meteorite>(SharedData.url(official)), storage: .inMemory)
    return (catalog: catalog, report: try await catalog.refresh())
  }

  private func rows(_ path: String) throws -> Batch<Meteorite> {
    try Batch<Meteorite>(reading: SharedData.bytes(path))
  }

  /// One line a row, in the file's order: id, name, class, mass, fall, name type, year, position.
  private static func lines(_ meteorites: [Meteorite]) -> [String] {
    meteorites.map { meteorite in
      [
        meteorite.id.rawValue, meteorite.name, meteorite.classification.rawValue,
        meteorite.massInGrams.map { "\($0.bitPattern)" } ?? "", meteorite.fall.rawValue,
        meteorite.nameType.rawValue, meteorite.year.map { "\($0.rawValue)" } ?? "",
        meteorite.coordinate.map { "\($0.latitude.bitPattern),\($0.longitude.bitPattern)" } ?? "",
      ].joined(separator: "|")
    }
  }

  private static let python = #"""
    import csv, io, json, struct, sys
    path = sys.argv[1]
    text = sys.stdin.buffer.read().decode('utf-8-sig')
    bits = lambda v: '' if v in (None, '') else str(struct.unpack('<Q', struct.pack('<d', float(v)))[0])
    if path.endswith('.csv'):
        rows = [{**r, 'mass': r['mass (g)']} for r in csv.DictReader(io.StringIO(text, newline=''))]
        for r in rows:
            if r['year'] and int(r['year']) < 1582: r['year'] = '%04d' % (int(r['year']) + 1)
    elif '.ndjson' in path: rows = [json.loads(l) for l in text.splitlines()]
    elif path.endswith('.geojson'): rows = [f['properties'] for f in json.loads(text)['features']]
    elif 'rows_json' in path:
        d = json.loads(text); names = [c['fieldName'] for c in d['meta']['view']['columns']]
        rows = [dict(zip(names, r)) for r in d['data']]
    else: rows = json.loads(text)
    out = []
    for r in rows:
        g = lambda k: r.get(k) or ''
        place = '' if not g('reclat') else bits(g('reclat')) + ',' + bits(g('reclong'))
        year = str(int(g('year')[:4])) if g('year') else ''
        out.append('|'.join([g('id'), g('name'), g('recclass'), bits(r.get('mass')), g('fall'), g('nametype'), year, place]))
    sys.stdout.buffer.write('\n'.join(out).encode())
    """#

  @Test(
    "the real captures have the values that Python reads from the same bytes",
    .enabled(if: Tool.isThere("python3"), "python3 isn't installed"),
    arguments: [official, derived, excerpt] + pages)
  func sameAsPython(path: String) throws {
    var bytes = try SharedData.bytes(path)
    if [Self.official, Self.derived].contains(path) {
      bytes = Sample.lines(
        of: bytes, Sample.isOptimized ? 2_000 : 300, hasHeader: path == Self.official)
    }
    let theirs = try Tool.run("python3", "-c", Self.python, path, input: Data(bytes))
    let rows = try Batch<Meteorite>(reading: bytes)
    #expect(rows.failures.isEmpty)
    let own = Self.lines(rows.records)
    let expected = String(decoding: theirs, as: UTF8.self).split(
      separator: "\n", omittingEmptySubsequences: false)
    #expect(own.count == expected.count)
    let differing = zip(own, expected).filter { $0 != $1 }
    #expect(differing.isEmpty, "\(differing.prefix(3))")
  }

  @Test("the capture of the official CSV has the documented statistics")
  func officialFigures() async throws {
    let (catalog, report) = try await Self.loaded.value
    #expect(report.rows == 45_716)
    let view = try await catalog.view()
    #expect(view.count == 45_716)
    #expect(view.all.count { $0.massInGrams == nil } == 131)
    #expect(view.all.count { $0.year == nil } == 291)
    #expect(view.all.count { $0.coordinate != nil } == 38_401)
    #expect(view.all.count { $0.positionIssue == .zeroPlaceholder } == 6_214)
    #expect(
      view.all.filter { $0.positionIssue == .longitudeOutOfRange }.map(\.name) == [
        "Meridiani Planum"
      ])
    #expect(view.count(MeteoriteQuery(plausibleOnly: true)) == 32_186)
    let statistics = view.statistics()
    #expect(abs(statistics.total.massInGrams - 605_281_210.638) < 0.01)
    #expect(view[statistics.total.heaviest ?? 0]?.name == "Hoba")
    let groups = Dictionary(
      uniqueKeysWithValues: statistics.byGroup.map { ($0.key.rawValue, $0.value.count) })
    #expect(
      groups == [
        "ordinary chondrite": 39_909, "carbonaceous chondrite": 1_584, "enstatite chondrite": 531,
        "Rumuruti chondrite": 135, "Kakangari chondrite": 3, "other chondrite": 16,
        "achondrite": 2_121, "iron": 1_070, "stony-iron": 281, "unknown": 58, "fusion crust": 8,
      ])
    #expect(Set(view.all.map(\.classification)).count == 466)
  }

  /// How many meteorites two tests take of all.
  private static let sampleSize = Sample.isOptimized ? 3_000 : 1_000

  @Test("the real captures of CSV and SODA contain the same meteorites")
  func csvAndSODAAgree() async throws {
    let soda = try Batch<Meteorite>(
      reading: Sample.lines(of: try SharedData.bytes(Self.derived), Self.sampleSize))
    let ids = Set(soda.records.map(\.id))
    let csv = Batch<Meteorite>(
      records: try Self.all.get().records.filter { ids.contains($0.id) })
    let source = FixedSource(rows: [csv, soda, csv])
    let catalog = MeteoriteCatalog(source: source, storage: .inMemory)
    try await catalog.refresh()
    for _ in 0..<2 {
      let report = try await catalog.refresh(.now)
      #expect((report.added, report.updated, report.removed) == (0, 0, 0))
      #expect(report.unchanged == Sample.rounds(45_716, Self.sampleSize))
    }
  }

  @Test(
    "the real captures contain the old app's golden list: fallen from 2011 on, the heaviest first")
  func goldenList() async throws {
    let found = try await Self.loaded.value.catalog.find(
      MeteoriteQuery(fall: .fell, years: 2011..., order: .massDescending))
    #expect(
      found.map(\.name) == [
        "Chelyabinsk", "Thika", "Tissint", "Boumdeid (2011)", "Battle Mountain", "Sołtmany",
        "Sutter's Mill",
      ])
    #expect(found.map(\.massInGrams) == [100_000, 14_200, 7_000, 3_599, 2_900, 1_066, 992.5])
  }

  @Test(
    "real captures of 1,000 rows load into an empty store, and are rejected over a fuller one",
    arguments: pages)
  func pagesAreTraps(path: String) async throws {
    let page = try rows(path)
    #expect(page.facts.rowCount == 1_000)
    let empty = MeteoriteCatalog(source: FixedSource(rows: [page]), storage: .inMemory)
    #expect(try await empty.refresh().added == 1_000)
    let full = MeteoriteCatalog(
      source: FixedSource(rows: [try Self.all.get(), page]), storage: .inMemory)
    try await full.refresh()
    let error = await #expect(throws: FieldError.self) { try await full.refresh(.now) }
    #expect(error?.code == .snapshotRefused)
    #expect(try await full.count() == 45_716)
  }

  @Test("the real excerpt of rows.json can be read, and is rejected as a complete snapshot")
  func excerptIsIncomplete() async throws {
    let excerpt = try rows(Self.excerpt)
    #expect(excerpt.records.count == 48)
    #expect(excerpt.facts.announcedCount == 45_716)
    let url = SharedData.url(Self.excerpt)
    let strict = MeteoriteCatalog(source: FileRows<Meteorite>(url), storage: .inMemory)
    await #expect(throws: FieldError.self) { try await strict.refresh() }
    let lenient = MeteoriteCatalog(
      source: FileRows<Meteorite>(url, deletion: .never), storage: .inMemory)
    #expect(try await lenient.refresh().added == 48)
  }

  @Test("the real captures find names regardless of case and diacritics")
  func search() async throws {
    let view = try await Self.loaded.value.catalog.view()
    // 63 are spelt with an Ö, and one, the oldest find, with an O.
    #expect(view.count(MeteoriteQuery(text: "osterplana")) == 64)
    #expect(view.count(MeteoriteQuery(text: "Österplana")) == 64)
    #expect(
      view.count(MeteoriteQuery(text: "mountain"))
        == view.all.count { $0.name.lowercased().contains("mountain") })
    #expect(view.count(MeteoriteQuery(text: "SOLTMANY")) == 1)
  }

  @Test("the real captures export to CSV and GeoJSON and are read back unchanged")
  func exports() throws {
    let meteorites = Sample.of(try Self.all.get().records, Self.sampleSize)
    #expect(try Batch<Meteorite>(reading: [UInt8](meteorites.csv())).records == meteorites)
    let plausible = meteorites.filter { ($0.coordinate?.longitude ?? 0) <= 180 }
    #expect(try Batch<Meteorite>(reading: [UInt8](plausible.geoJSON())).records == plausible)
  }
}
