import CivicKit
import FieldCore
import FieldFakes
import Foundation
import TestSupport
import Testing

@Suite(
  "The captured tables of Tainan's old app",
  .enabled(if: CivicCapture.isThere, "the captures of ../shared are not here"),
  .timeLimit(.minutes(60)))
struct CivicCaptureTests {
  @Test(
    "Tainan's captured tables have 406 units, 40 categories, 475 links, and the other tables whole")
  func counts() async throws {
    let view = try await CivicCapture.directory().view()
    #expect(view.units.count == 406)
    #expect(view.categories.count == 40)
    #expect(view.memberships.count == 475)
    #expect(view.keywords.count == 3)
    #expect(view.keywordLinks.count == 162)
    #expect(view.synonyms.count == 8)
    #expect(view.banners.count == 11)
    #expect(view.apps.count == 15)
  }

  // C3 of Docs/old-apps.md
  @Test(
    "Tainan's captured tables give 24 departments, 4 services and 6 facilities with their units")
  func tiles() async throws {
    let directory = try await CivicCapture.directory()
    let departments = try await directory.departments()
    #expect(departments.count == 24)
    #expect(departments.first?.name == "府本部")
    #expect(departments.last?.name == "資訊中心")
    #expect(
      try await directory.quickServices().map(\.name) == ["衛生醫療", "補助資訊", "教育", "求職徵才"])
    let tiles = try await directory.facilities()
    #expect(tiles.map(\.name) == ["廁所", "飲水機", "電梯", "哺乳室", "商店", "理髮"])
    var counts: [Int] = []
    for tile in tiles { counts.append(try await directory.units(in: tile.id).count) }
    #expect(counts == [28, 28, 18, 1, 1, 2])
  }

  @Test(
    "Tainan's captured tables resolve 228 parents; the others are roots, and no parent is missing")
  func parents() async throws {
    let view = try await CivicCapture.directory().view()
    let parents = view.units.map { view.parent(of: $0) }
    #expect(parents.count { if case .unit = $0 { true } else { false } } == 228)
    #expect(parents.count { $0 == .none } == 178)
  }

  @Test(
    "Tainan's captured units are 26 without a place, 381 with a floor, 62 in several categories")
  func dirt() async throws {
    let view = try await CivicCapture.directory().view()
    #expect(view.units.count { $0.planPosition == nil } == 26)
    #expect(view.units.count { $0.floor != nil } == 381)
    #expect(view.units.count { view.categories(of: $0.id).count > 1 } == 62)
    #expect(view.units.count { $0.name.isEmpty } == 1)
    #expect(view.units.count { !$0.phones.isEmpty } == 215)
  }

  // C5 of Docs/old-apps.md
  @Test("Tainan's captured tables have 社會 in 18 names and 8 descriptions, 21 in either, 5 in both")
  func search() async throws {
    let directory = try await CivicCapture.directory()
    let names = try await directory.search(CivicSearch("社會", fields: .name))
    let details = try await directory.search(CivicSearch("社會", fields: .details))
    let either = try await directory.search("社會")
    #expect(names.count == 18)
    #expect(details.count == 8)
    #expect(either.count == 21)
    #expect(either.count { $0.fields == [.name, .details] } == 5)
    #expect(try await directory.search("社會 福利").count == 27)
    #expect(try await directory.search(CivicSearch("社會 福利", words: .all)).count == 6)
  }

  @Test(
    "Tainan's captured tables have the values that Python reads from the same bytes",
    .enabled(if: Tool.isThere("python3"), "python3 isn't installed"))
  func python() async throws {
    let view = try await CivicCapture.directory().view()
    let printed = try Tool.run("python3", "-c", Self.script, CivicCapture.folder.path)
    let expected = try JSONDecoder().decode([[String]].self, from: printed)
    let seconds = { (date: Date?) in date.map { String(Int($0.timeIntervalSince1970)) } ?? "" }
    let units = view.units.map { unit in
      [
        unit.id.rawValue, unit.name, unit.parentID?.rawValue ?? "", unit.details ?? "",
        unit.phones.rawText, unit.faxes.rawText, unit.email ?? "", unit.website ?? "",
        unit.field?.rawValue ?? "", unit.planPosition.map { "\($0.x),\($0.y)" } ?? "",
        unit.nearbyPathID ?? "", unit.iconName ?? "", unit.keywords.joined(separator: ","),
        seconds(unit.createdAt), seconds(unit.updatedAt),
        (unit.phones.map(\.dialString) + unit.faxes.map(\.dialString)).joined(separator: ";"),
      ]
    }
    #expect(units.count == 406)
    #expect(expected.count == units.count)
    for (unit, row) in zip(units, expected) { #expect(unit == row) }
  }

  /// Reads the units independently, with Python's own `strip` and regular expressions.
  private static let script = #"""
    import json, re, sys
    rows = json.load(open(sys.argv[1] + '/tainan-administrativeunit.json'))
    def clean(value):
        text = str(value).strip()
        return '' if text in ('', 'null') else text
    def phones(text):
        found = []
        for piece in re.split(r'[/、,]', text):
            main, _, rest = re.sub('轉', '#', piece).partition('#')
            digits = re.sub(r'\D', '', main)
            if not digits: continue
            if digits[0] != '0': digits = '06' + digits
            extension = re.sub(r'\D', '', rest)
            found.append(digits + (',' + extension if extension else ''))
        return found
    out = []
    for r in rows:
        parent = clean(r['parentUnitId'])
        place = '' if (r['x'], r['y']) == (0, 0) else f"{r['x']},{r['y']}"
        tel, fax = clean(r['tel']), clean(r['fax'])
        out.append([r['unitId'], clean(r['name']), '' if parent == '0' else parent,
            clean(r['description']), tel, fax, clean(r['email']), clean(r['website']),
            clean(r['fieldId']), place, clean(r['nearByPathId']), clean(r['iconName']),
            clean(r['keyword']), str(r['createTime']), str(r['lastUpdateTime']),
            ';'.join(phones(tel) + phones(fax))])
    json.dump(out, sys.stdout)
    """#

  @Test("Tainan's captured tables are the same after a sync as read directly")
  func syncEqualsReading() async throws {
    let fixture = try CivicFixture(isFilled: false)
    let tables = try await CivicTableFiles.read(CivicCapture.folder)
    for (table, data) in tables where CivicTable.synchronized.contains(table) {
      try fixture.server.load(table.rawValue, json: [UInt8](data))
    }
    let report = try await fixture.directory.refresh()
    #expect(report.rows == 406 + 40 + 475 + 3 + 162 + 11 + 15)
    #expect(report.failureCount == 0)
    var read = try await CivicCapture.directory().export()
    let synchronized = try await fixture.directory.export()
    read.synonyms = []  // local, so not on a server
    #expect(read == synchronized)
    // Then each table is asked for after its newest row.
    #expect(try await fixture.directory.refresh().outcome == .unchanged)
    #expect(fixture.server.requestedTables.suffix(7).map(\.since).contains(0) == false)
  }

  @Test("Tainan's captured tables are unchanged after a JSON round trip")
  func export() async throws {
    let directory = try await CivicCapture.directory()
    let exported = try await directory.export()
    let other = CivicDirectory(storage: .inMemory, transport: FakeCivicService())
    try await other.restore(try CivicSnapshot(json: exported.json()))
    #expect(try await other.export() == exported)
  }
}
