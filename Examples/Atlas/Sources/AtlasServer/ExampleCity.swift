import FieldKit
import Foundation

/// A made-up city whose transit agency publishes a GTFS feed.
enum ExampleCity {
  private struct Line {
    var id: String
    var name: String
    var color: String
    var mode: Int
    /// The kilometers between two stops.
    var spacing: Double
    /// The speed with stops, in kilometers per hour.
    var speed: Double
    /// The minutes between two vehicles.
    var headway: Int
    var hubs: [String]
  }

  /// A place in kilometers from the middle of the city.
  private struct Place {
    var x: Double
    var y: Double

    func distance(to other: Place) -> Double {
      ((x - other.x) * (x - other.x) + (y - other.y) * (y - other.y)).squareRoot()
    }
  }

  private static let hubs: [(id: String, english: String, chinese: String, x: Double, y: Double)] =
    [
      ("CEN", "Central Station", "中央車站", 0, 0), ("HAR", "Harbour Square", "港灣廣場", -2.2, -2.5),
      ("MAR", "Market Hall", "市場", 1.9, 1.3), ("UNI", "University", "大學", 3.5, 3.9),
      ("AIR", "Airport", "機場", 8.2, -2.6), ("OLD", "Old Town", "舊城", -1.9, 1.2),
      ("NOR", "North Gate", "北門", -0.5, 4.1), ("EAS", "East Park", "東公園", 4.4, 0.3),
      ("WES", "Westfield", "西野", -5.4, 0.5), ("SOU", "South Bay", "南灣", 1.4, -4.1),
      ("LIG", "Lighthouse", "燈塔", -6.0, -4.0), ("HIL", "Alder Hills", "赤楊山", -4.1, 5.4),
      ("STA", "Stadium", "體育場", 4.9, -2.9),
    ]

  private static let lines = [
    Line(
      id: "M1", name: "1", color: "C8332B", mode: 1, spacing: 1.15, speed: 36, headway: 6,
      hubs: ["WES", "OLD", "CEN", "EAS", "AIR"]),
    Line(
      id: "M2", name: "2", color: "2464B4", mode: 1, spacing: 1.1, speed: 36, headway: 6,
      hubs: ["HIL", "NOR", "OLD", "CEN", "SOU"]),
    Line(
      id: "M3", name: "3", color: "2E8540", mode: 1, spacing: 1.1, speed: 36, headway: 7,
      hubs: ["UNI", "MAR", "CEN", "HAR", "LIG"]),
    Line(
      id: "C", name: "Ring", color: "B07A00", mode: 2, spacing: 1.6, speed: 42, headway: 10,
      hubs: ["HIL", "NOR", "UNI", "EAS", "STA", "SOU", "HAR", "WES", "HIL"]),
    Line(
      id: "T4", name: "4", color: "C2571A", mode: 0, spacing: 0.75, speed: 20, headway: 8,
      hubs: ["NOR", "MAR", "EAS", "STA"]),
    Line(
      id: "T5", name: "5", color: "7A4BA0", mode: 0, spacing: 0.75, speed: 20, headway: 8,
      hubs: ["WES", "HAR", "SOU", "STA"]),
    Line(
      id: "B10", name: "10", color: "4A6572", mode: 3, spacing: 0.9, speed: 19, headway: 15,
      hubs: ["UNI", "EAS", "AIR"]),
    Line(
      id: "B20", name: "20", color: "4A6572", mode: 3, spacing: 0.9, speed: 19, headway: 15,
      hubs: ["LIG", "WES", "HIL"]),
    Line(
      id: "F", name: "Ferry", color: "0E7C8B", mode: 4, spacing: 9, speed: 20, headway: 30,
      hubs: ["HAR", "LIG"]),
  ]

  private static let firstWords = [
    ("Lantern", "燈籠"), ("Willow", "柳樹"), ("Copper", "銅匠"), ("Juniper", "杜松"), ("Falcon", "獵鷹"),
    ("Marigold", "金盞"), ("Quarry", "石場"), ("Cedar", "雪松"), ("Orchard", "果園"), ("Silver", "銀匠"),
    ("Mill", "磨坊"), ("Heron", "蒼鷺"), ("Clover", "苜蓿"), ("Amber", "琥珀"), ("Thistle", "薊草"),
  ]
  private static let lastWords = [
    ("Street", "街"), ("Square", "場"), ("Bridge", "橋"), ("Gardens", "園"), ("Lane", "巷"),
    ("Hill", "丘"),
  ]

  /// Returns one of 90 names of streets.
  static func name(_ number: Int) -> (english: String, chinese: String) {
    let first = firstWords[number % firstWords.count]
    let last = lastWords[(number / firstWords.count + number) % lastWords.count]
    return ("\(first.0) \(last.0)", first.1 + last.1)
  }

  // MARK: The feed

  /// Returns the zip archive of the feed, which is valid for a year and a half around a day.
  static func feed(today: Date) -> [UInt8] {
    var writer = FeedWriter()
    let zone = FixedZone.utc
    let first = CalendarDay(today.addingTimeInterval(-200 * 86_400), in: zone)
    let last = CalendarDay(today.addingTimeInterval(350 * 86_400), in: zone)
    writer.calendar(from: first, through: last)
    for hub in hubs { writer.stop(hub.id, hub.english, hub.chinese, hub.x, hub.y) }
    for line in lines { writer.add(line) }
    writer.addMistakes()
    return ZipWriter.archive(writer.files)
  }

  /// A writer of the files of the feed.
  private struct FeedWriter {
    private var stops = "stop_id,stop_name,stop_lat,stop_lon\n"
    private var translations = "table_name,field_name,language,record_id,translation\n"
    private var routes =
      "route_id,agency_id,route_short_name,route_long_name,route_type,route_color,route_text_color\n"
    private var trips = "route_id,service_id,trip_id,trip_headsign,shape_id\n"
    private var stopTimes = "trip_id,arrival_time,departure_time,stop_id,stop_sequence\n"
    private var shapes = "shape_id,shape_pt_lat,shape_pt_lon,shape_pt_sequence\n"
    private var calendar =
      "service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date\n"
    private var stopCount = 0

    var files: [(name: String, text: String)] {
      [
        (
          "agency.txt",
          "agency_id,agency_name,agency_url,agency_timezone\nA,Alderport Transit,https://transit.example,UTC\n"
        ),
        ("stops.txt", stops), ("routes.txt", routes), ("trips.txt", trips),
        ("stop_times.txt", stopTimes),
        ("calendar.txt", calendar), ("shapes.txt", shapes), ("translations.txt", translations),
        (
          "feed_info.txt",
          "feed_publisher_name,feed_publisher_url,feed_lang\nAlderport Transit,https://transit.example,en\n"
        ),
      ]
    }

    mutating func calendar(from first: CalendarDay, through last: CalendarDay) {
      func compact(_ day: CalendarDay) -> String { day.description.filter { $0 != "-" } }
      calendar += "D,1,1,1,1,1,1,1,\(compact(first)),\(compact(last))\n"
    }

    mutating func stop(_ id: String, _ english: String, _ chinese: String, _ x: Double, _ y: Double)
    {
      let place = degrees(Place(x: x, y: y))
      stops += "\(id),\(english),\(place)\n"
      translations += "stops,stop_name,zh-Hant,\(id),\(chinese)\n"
    }

    mutating func add(_ line: Line) {
      let ends = [line.hubs[line.hubs.count - 1], line.hubs[0]].map { id in
        hubs.first { $0.id == id }?.english ?? ""
      }
      let isRing = line.hubs.first == line.hubs.last
      let rings = ["Ring via University", "Ring via Harbour"]
      routes +=
        "\(line.id),A,\(line.name),\(isRing ? "Ring line" : "\(ends[1]) – \(ends[0])"),\(line.mode),\(line.color),FFFFFF\n"
      let way = curve(
        through: line.hubs.compactMap { id in hubs.first { $0.id == id } }.map {
          Place(x: $0.x, y: $0.y)
        })
      var visits = placeStops(on: way, of: line)
      var points = way.map(\.place)
      for direction in [0, 1] {
        let shape = "\(line.id)-\(direction)"
        for (number, point) in points.enumerated() {
          shapes += "\(shape),\(degrees(point)),\(number)\n"
        }
        let offset = direction == 0 ? 0 : line.headway / 2
        for (number, start) in stride(
          from: 5 * 60 + 30 + offset, to: 24 * 60 + 15, by: line.headway
        ).enumerated() {
          let trip = "\(shape)-\(number)"
          trips += "\(line.id),D,\(trip),\(isRing ? rings[direction] : ends[direction]),\(shape)\n"
          for (place, visit) in visits.enumerated() {
            let time = start + Int((visit.kilometers / line.speed * 60).rounded())
            let text = "\(two(time / 60)):\(two(time % 60)):00"
            stopTimes += "\(trip),\(text),\(text),\(visit.stop),\(place)\n"
          }
        }
        let length = visits.last?.kilometers ?? 0
        visits = visits.reversed().map { ($0.stop, length - $0.kilometers) }
        points.reverse()
      }
    }

    /// Adds what real feeds contain, too: a trip to a stop that doesn't exist, and one whose times go backward.
    mutating func addMistakes() {
      trips += "M1,D,M1-lost,Nowhere,M1-0\nM2,D,M2-back,Yesterday,M2-0\n"
      stopTimes += "M1-lost,09:00:00,09:00:00,CEN,0\nM1-lost,09:10:00,09:10:00,XXX,1\n"
      stopTimes += "M2-back,10:00:00,10:00:00,CEN,0\nM2-back,09:00:00,09:00:00,SOU,1\n"
    }

    /// Places stops on a line, with hubs where they are; returns them with their kilometers.
    private mutating func placeStops(
      on way: [(place: Place, hub: Int?)], of line: Line
    ) -> [(stop: String, kilometers: Double)] {
      var visits: [(stop: String, kilometers: Double)] = [(line.hubs[0], 0)]
      var (kilometers, last) = (0.0, 0.0)
      let total = zip(way, way.dropFirst()).reduce(into: [0.0]) { sums, pair in
        sums.append((sums.last ?? 0) + pair.0.place.distance(to: pair.1.place))
      }
      for index in way.indices.dropFirst() {
        kilometers = total[index]
        if let hub = way[index].hub {
          visits.append((line.hubs[hub], kilometers))
          last = kilometers
          continue
        }
        let next = way[index...].firstIndex { $0.hub != nil } ?? way.count - 1
        guard kilometers - last >= line.spacing, total[next] - kilometers >= 0.6 * line.spacing
        else { continue }
        let (id, name) = ("\(line.id)\(visits.count)", ExampleCity.name(stopCount))
        stopCount += 1
        stop(id, name.english, name.chinese, way[index].place.x, way[index].place.y)
        visits.append((id, kilometers))
        last = kilometers
      }
      return visits
    }

    /// Returns a smooth curve through places, with the positions of those.
    private func curve(through hubs: [Place]) -> [(place: Place, hub: Int?)] {
      var way: [(place: Place, hub: Int?)] = [(hubs[0], 0)]
      for place in 0..<hubs.count - 1 {
        let (a, b, c, d) = (
          hubs[max(place - 1, 0)], hubs[place], hubs[place + 1],
          hubs[min(place + 2, hubs.count - 1)]
        )
        func part(_ a: Double, _ b: Double, _ c: Double, _ d: Double, _ t: Double) -> Double {
          let (first, second) = (2 * a - 5 * b + 4 * c - d, 3 * b - a - 3 * c + d)
          return 0.5 * (2 * b + (c - a) * t + first * t * t + second * t * t * t)
        }
        let steps = max(6, Int(b.distance(to: c) / 0.12))
        for step in 1...steps {
          let t = Double(step) / Double(steps)
          way.append(
            (
              Place(x: part(a.x, b.x, c.x, d.x, t), y: part(a.y, b.y, c.y, d.y, t)),
              step == steps ? place + 1 : nil
            ))
        }
      }
      return way
    }

    private func degrees(_ place: Place) -> String {
      func text(_ value: Double) -> String { "\((value * 1e5).rounded() / 1e5)" }
      return text(ExamplePortals.middle.latitude + place.y * ExamplePortals.kilometer.latitude)
        + ","
        + text(ExamplePortals.middle.longitude + place.x * ExamplePortals.kilometer.longitude)
    }

    private func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
  }
}

/// A writer of zip archives whose files aren't compressed.
enum ZipWriter {
  static func archive(_ files: [(name: String, text: String)]) -> [UInt8] {
    archive(files.map { ($0.name, Array($0.text.utf8)) })
  }

  static func archive(_ files: [(name: String, bytes: [UInt8])]) -> [UInt8] {
    var (body, directory) = ([UInt8](), [UInt8]())
    for file in files {
      let name = Array(file.name.utf8)
      let start = body.count
      // The version, the flag for UTF-8, no compression, and 1980-01-01 as the date.
      var head = number(20, 2) + number(0x800, 2) + number(0, 2) + number(0, 2) + number(0x21, 2)
      head +=
        number(Int(checksum(file.bytes)), 4) + number(file.bytes.count, 4)
        + number(file.bytes.count, 4)
      head += number(name.count, 2) + number(0, 2)
      body += [0x50, 0x4B, 3, 4] + head + name + file.bytes
      directory += [0x50, 0x4B, 1, 2] + number(20, 2) + head
      directory +=
        number(0, 2) + number(0, 2) + number(0, 2) + number(0, 4) + number(start, 4) + name
    }
    let end =
      [0x50, 0x4B, 5, 6] + number(0, 2) + number(0, 2) + number(files.count, 2)
      + number(files.count, 2)
    return body + directory + end + number(directory.count, 4) + number(body.count, 4)
      + number(0, 2)
  }

  private static func number(_ value: Int, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }

  private static let table: [UInt32] = (0..<256).map { byte in
    (0..<8).reduce(UInt32(byte)) { sum, _ in sum & 1 == 1 ? 0xEDB8_8320 ^ sum >> 1 : sum >> 1 }
  }

  private static func checksum(_ bytes: [UInt8]) -> UInt32 {
    ~bytes.reduce(UInt32.max) { table[Int(UInt8(truncatingIfNeeded: $0) ^ $1)] ^ $0 >> 8 }
  }
}
