import FieldCore
import Foundation
import TestSupport
import Testing
import ZooKit

/// The zoo's real files of several years, against Python's readers of the same bytes.
@Suite(
  "The zoo's real captures", .heavy,
  .enabled(if: SharedData.isThere, "the captures of ../shared are not here"))
struct ZooCaptureTests {
  /// The captures, and how many rows each has.
  static let captures: [(file: String, table: ZooTable, count: Int)] = [
    ("animals-v1-2026-full.json", .animals, 313), ("animals-esedoi.json", .animals, 20),
    ("animals-iamoscarliang.json", .animals, 10), ("areas-iamoscarliang.json", .areas, 16),
    ("zoo-areas-2026.csv", .areas, 17), ("plants-2026.csv", .plants, 276),
  ]

  @Test(
    "the zoo's real captures have the expected rows, all of them read", arguments: captures.indices)
  func counts(index: Int) throws {
    let capture = Self.captures[index]
    let delivery = try Batch<ZooRecord>(reading: SharedData.bytes("zoo/\(capture.file)"))
    #expect(delivery.table == capture.table)
    #expect(delivery.records.count == capture.count)
    #expect(delivery.facts.rowCount == capture.count)
    #expect(delivery.failures.isEmpty)
  }

  private static let python = #"""
    import csv, io, json, re, struct, sys
    data = sys.stdin.buffer.read().decode('utf-8-sig')
    if data.lstrip().startswith('{'):
        rows = json.loads(data)['result']['results']
    else:
        rows = list(csv.DictReader(io.StringIO(data, newline='')))
    letter, columns = sys.argv[1], sys.argv[2].split(',')
    bits = lambda v: struct.pack('>d', float(v)).hex()
    out = []
    for row in rows:
        row = {k.replace('\ufeff', '').strip().lower(): v for k, v in row.items()}
        texts = []
        for column in columns:
            v = next((row[n] for n in column.split('|') if n in row), None)
            if v is not None and not isinstance(v, str): v = str(v)
            texts.append(v if v and v.strip() and v.strip() != 'null' else None)
        geo = row.get(letter + '_geo')
        if row.get(letter + '_longitude'):
            places = [(row[letter + '_longitude'], row[letter + '_latitude'])]
        else:
            places = re.findall(r'([\d.]+)[ ,]+([\d.]+)', geo or '')
        out.append([texts, [bits(y) + bits(x) for x, y in places]])
    json.dump(out, sys.stdout)
    """#

  /// What Python reads: the texts of the columns, and the bits of the places.
  private struct Reading: Decodable, Equatable {
    var texts: [String?]
    var places: [String]

    init(texts: [String?], places: [Coordinate]) {
      self.texts = texts
      self.places = places.map { Self.bits($0.latitude) + Self.bits($0.longitude) }
    }

    init(from decoder: any Decoder) throws {
      var container = try decoder.unkeyedContainer()
      texts = try container.decode([String?].self)
      places = try container.decode([String].self)
    }

    private static func bits(_ number: Double) -> String {
      let text = String(number.bitPattern, radix: 16)
      return String(repeating: "0", count: 16 - text.count) + text
    }
  }

  @Test(
    "the zoo's real captures have exactly the values that Python reads from the same bytes",
    .enabled(if: Tool.isThere("python3"), "python3 isn't installed"), arguments: captures.indices)
  func sameAsPython(index: Int) throws {
    let capture = Self.captures[index]
    let bytes = try SharedData.bytes("zoo/\(capture.file)")
    let delivery = try Batch<ZooRecord>(reading: bytes)
    let letter = ["animals": "a", "areas": "e", "plants": "f"][capture.table.rawValue] ?? ""
    let own: (columns: [String], readings: [Reading])
    switch capture.table {
    case .animals: own = Self.readings(delivery.animals, Self.animalColumns, \.places)
    case .areas: own = Self.readings(delivery.areas, Self.areaColumns, \.places)
    default: own = Self.readings(delivery.plants, Self.plantColumns, \.places)
    }
    let output = try Tool.run(
      "python3", "-c", Self.python, letter, own.columns.joined(separator: ","), input: Data(bytes))
    let theirs = try JSONDecoder().decode([Reading].self, from: output)
    #expect(theirs.count == capture.count)
    for (position, (own, theirs)) in zip(own.readings, theirs).enumerated() {
      #expect(own == theirs, "row \(position) of \(capture.file)")
    }
  }

  private static func readings<Record>(
    _ records: [Record], _ columns: [(name: String, text: (Record) -> String?)],
    _ places: KeyPath<Record, [Coordinate]>
  ) -> (columns: [String], readings: [Reading]) {
    (
      columns.map(\.name),
      records.map { record in
        Reading(texts: columns.map { $0.text(record) }, places: record[keyPath: places])
      }
    )
  }

  private static func media(
    _ letter: String, _ name: String, _ number: Int, _ media: [ZooMedia],
    _ unreadable: [String: String]
  ) -> (caption: String?, link: String?) {
    let entry = media.first { $0.number == number }
    return (
      entry?.caption, entry?.link?.rawText ?? unreadable["\(letter)_\(name)0\(number)_url"]
    )
  }

  /// The day as the source writes it, which pads no number.
  private static func text(_ day: CalendarDay?) -> String? {
    day.map { "\($0.year)/\($0.month)/\($0.day)" }
  }

  private typealias Column<Record> = (name: String, text: (Record) -> String?)

  private static var animalColumns: [Column<Animal>] {
    var columns: [Column<Animal>] = [
      ("_id", { $0.rowNumber.map(String.init) }), ("a_name_ch", \.name),
      ("a_name_en", \.englishName), ("a_name_latin", \.latinName),
      ("a_alsoknown", \.alternativeNamesText), ("a_summary", \.summary),
      ("a_keywords", \.keywords), ("a_location", \.locationText), ("a_poigroup", \.poiGroup),
      ("a_phylum", \.phylum), ("a_class", \.animalClass?.rawValue), ("a_order", \.order),
      ("a_family", \.family), ("a_conservation", \.conservationText),
      ("a_distribution", \.distribution), ("a_habitat", \.habitat), ("a_feature", \.feature),
      ("a_behavior", \.behavior), ("a_diet", \.diet), ("a_crisis", \.crisis),
      ("a_interpretation", \.interpretation), ("a_theme_name", \.themeName),
      ("a_theme_url", { $0.theme?.rawText ?? $0.unreadable["a_theme_url"] }),
      ("a_adopt", \.adoption), ("a_code", \.code), ("a_cid", \.catalogNumber),
      ("a_vedio_url", { $0.video?.rawText ?? $0.unreadable["a_vedio_url"] }),
      ("a_update", { text($0.updated) ?? $0.unreadable["a_update"] }),
    ]
    for (name, path, count) in [
      ("pic", \Animal.pictures, 4), ("pdf", \.documents, 2), ("voice", \.recordings, 3),
    ] {
      for number in 1...count {
        columns.append(
          ("a_\(name)0\(number)_alt", { media("a", name, number, $0[keyPath: path], [:]).caption }))
        columns.append(
          (
            "a_\(name)0\(number)_url",
            { media("a", name, number, $0[keyPath: path], $0.unreadable).link }
          ))
      }
    }
    return columns
  }

  private static var plantColumns: [Column<Plant>] {
    var columns: [Column<Plant>] = [
      ("f_name_ch", \.name), ("f_name_en", \.englishName), ("f_name_latin", \.latinName),
      ("f_alsoknown", \.alternativeNamesText), ("f_summary", \.summary),
      ("f_keywords", \.keywords), ("f_location", \.locationText), ("f_family", \.family),
      ("f_genus", \.genus), ("f_brief", \.brief), ("f_feature", \.feature),
      ("f_function＆application|f_function&application", \.uses), ("f_code", \.code),
      ("f_cid", \.catalogNumber),
      ("f_vedio_url", { $0.video?.rawText ?? $0.unreadable["f_vedio_url"] }),
      ("f_update", { text($0.updated) ?? $0.unreadable["f_update"] }),
    ]
    for (name, path, count) in [
      ("pic", \Plant.pictures, 4), ("pdf", \.documents, 2), ("voice", \.recordings, 3),
    ] {
      for number in 1...count {
        columns.append(
          ("f_\(name)0\(number)_alt", { media("f", name, number, $0[keyPath: path], [:]).caption }))
        columns.append(
          (
            "f_\(name)0\(number)_url",
            { media("f", name, number, $0[keyPath: path], $0.unreadable).link }
          ))
      }
    }
    return columns
  }

  private static var areaColumns: [Column<ZooArea>] {
    [
      ("e_no", { $0.number.map(String.init) }), ("e_category", \.category?.rawValue),
      ("e_name", \.name), ("e_pic_url", \.picture?.rawText), ("e_info", \.info),
      ("e_memo", \.memo), ("e_url", \.link?.rawText),
    ]
  }
}
