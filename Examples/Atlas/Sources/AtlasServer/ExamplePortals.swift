import FieldFakes
import FieldKit
import Foundation

/// The made-up hosts whose names end in `.example`: files, portals of four families, and a transit agency.
///
/// They are served by the loopback server, so that the page's faults apply to them, too.
final class ExamplePortals: Sendable {
  private let files = Locked<[String: [UInt8]]>([:])
  private let portals = Locked<[String: any Transport]>([:])

  /// The middle of the made-up city, which is in the Atlantic Ocean.
  static let middle = (longitude: -35.0, latitude: 45.0)
  /// The degrees of a kilometer to the east, and of one to the north.
  static let kilometer = (longitude: 0.0127, latitude: 0.009)

  func answer(_ request: TransportRequest, to address: URL) async throws -> TransportResponse {
    var request = request
    request.url = address
    switch address.host() ?? "" {
    case "data.example":
      let types = ["cafes.csv": "text/csv; charset=utf-8", "parks.geojson": "application/geo+json"]
      let name = address.lastPathComponent
      guard let type = types[name] else { return TransportResponse(status: 404) }
      return try file(name, type, request) {
        name == "cafes.csv" ? Self.cafes() : Self.parks()
      }
    case "transit.example":
      guard address.lastPathComponent == "gtfs.zip" else { return TransportResponse(status: 404) }
      return try file("gtfs.zip", "application/zip", request) { ExampleCity.feed(today: Date()) }
    case "gis.example":
      return try await portal("gis") {
        FakePortal(.arcGIS, columns: Self.columns, rows: Self.trees(1_200))
      }
      .send(request)
    case "ckan.example":
      return try await portal("ckan") {
        FakePortal(.ckan, columns: Self.columns, rows: Self.trees(900))
      }
      .send(request)
    case "explore.example":
      return try await portal("explore") {
        FakePortal(.openDataSoft, columns: Self.columns, rows: Self.trees(1_500))
      }
      .send(request)
    case "soda.example":
      return try await portal("soda") {
        FakeSODAServer(dataset: "tree-2026", columns: Self.columns, rows: Self.trees(2_000))
      }.send(request)
    default: return TransportResponse(status: 404)
    }
  }

  /// Returns the answer of a source that lies: the first tenth of a file, up to the end of a line, with status 200.
  static func firstRows(of answer: TransportResponse) -> TransportResponse {
    guard let bytes = try? answer.body.bytes(), !bytes.starts(with: [0x50, 0x4B]),
      let end = bytes.prefix(bytes.count / 10).lastIndex(of: 0x0A)
    else { return TransportResponse(status: 200, body: .text("[]")) }
    return TransportResponse(status: 200, fields: answer.fields, body: .bytes(Array(bytes[..<end])))
  }

  private func file(
    _ name: String, _ type: String, _ request: TransportRequest, _ make: () -> [UInt8]
  ) throws -> TransportResponse {
    let bytes = files.withLock { files in
      let bytes = files[name] ?? make()
      files[name] = bytes
      return bytes
    }
    let tag = "\"\(OwnData.checksum(bytes))\""
    guard request.fields["If-None-Match"] != tag else {
      return TransportResponse(status: 304, fields: ["ETag": tag], body: .text(""))
    }
    return TransportResponse(
      status: 200,
      fields: [
        "Content-Type": type, "ETag": tag, "Last-Modified": "Mon, 02 Nov 2026 06:30:00 GMT",
      ],
      body: .bytes(bytes))
  }

  private func portal(_ name: String, _ make: () -> any Transport) -> any Transport {
    portals.withLock { portals in
      let portal = portals[name] ?? make()
      portals[name] = portal
      return portal
    }
  }

  // MARK: Rows

  private static let columns: [FakeSODAServer.Column] = [
    "treeid", "species", "street", .init("height", .number), .init("spot", .point),
  ]

  private static func trees(_ count: Int) -> [FakeSODAServer.Row] {
    let species = ["Camphor 樟樹", "Banyan 榕樹", "Elm 榆樹", "Maple 楓樹", "Cherry 櫻花", "Ginkgo 銀杏"]
    var random = Noise(seed: UInt64(count))
    return (1...count).map { number in
      let place = Self.place(random.spread(6.5), 0.4 + random.spread(5.5))
      return [
        "treeid": .text("t\(number)"), "species": .text(species[number * 7 % 6]),
        "street": .text(ExampleCity.name(number * 5 % 90).english),
        "height": .number(2 + number * 13 % 29),
        "spot": .point(longitude: place.longitude, latitude: place.latitude),
      ]
    }
  }

  private static func place(_ x: Double, _ y: Double) -> (longitude: Double, latitude: Double) {
    func rounded(_ degrees: Double) -> Double { (degrees * 1e5).rounded() / 1e5 }
    return (
      rounded(middle.longitude + x * kilometer.longitude),
      rounded(middle.latitude + y * kilometer.latitude)
    )
  }

  /// A table as cities publish them: most rows are good.
  private static func cafes() -> [UInt8] {
    let kinds = ["Café", "Bakery", "Teahouse", "Noodle bar", "Bistro"]
    let chinese = ["咖啡館", "麵包店", "茶館", "麵館", "小酒館"]
    var random = Noise(seed: 5)
    var lines = [
      "Cafés of Alderport, exported 2026-11-02",
      "id,name,名稱,street,latitude,longitude,seats,opened",
    ]
    for number in 1...480 {
      let place = Self.place(random.spread(6), random.spread(4.5))
      let (kind, street) = (number * 7 % 5, ExampleCity.name(number * 11 % 90))
      let name = ExampleCity.name(number).english.split(separator: " ")[0]
      var line =
        "C\(1_000 + number),\(name) \(kinds[kind]),\(ExampleCity.name(number).chinese.dropLast())\(chinese[kind]),"
        + "\"\(street.english), no. \(number * 3 % 80 + 1)\",\(place.latitude),\(place.longitude),"
        + "\(8 + number * 17 % 90),\(1950 + number * 29 % 76)-0\(number % 9 + 1)-1\(number % 10)"
      switch number {
      case 37:
        line =
          ",Nameless Café,,\"Mill Lane, no. 3\",\(place.latitude),\(place.longitude),12,2001-02-03"
      case 118: line += ",surplus,cells"
      case 203: line = line.replacing("\(place.latitude),", with: "north of the bridge,")
      case 290: line = line.replacing("C1290", with: "C1289")
      case 355: line = ""
      case 401: line = line.replacing("\(place.longitude),", with: "4500.0,")
      default: break
      }
      lines.append(line)
    }
    return Array((lines.joined(separator: "\r\n") + "\r\n").utf8)
  }

  private static func parks() -> [UInt8] {
    var random = Noise(seed: 11)
    let features = (1...48).map { number in
      let x = Double(number % 8) * 1.5 - 5.4 + random.next(in: -0.35...0.35)
      let y = Double(number / 8) * 1.45 - 3.6 + random.next(in: -0.35...0.35)
      let size = random.next(in: 0.15...0.5)
      var ring = (0..<24).map { step -> String in
        let angle = Double(step) / 24 * 2 * Double.pi
        let reach = size * (1 + 0.3 * sin(3 * angle + x) + 0.12 * cos(5 * angle + y))
        let corner = place(x + reach * cos(angle), y + reach * sin(angle))
        return "[\(corner.longitude),\(corner.latitude)]"
      }
      ring.append(ring[0])
      let name = ExampleCity.name(number * 3).english.split(separator: " ")[0]
      return
        #"{"type":"Feature","id":"p\#(number)","properties":{"name":"\#(name) Park","名稱":"\#(ExampleCity.name(number * 3).chinese.dropLast())公園","hectares":\#((size * size * 314).rounded())},"#
        + #""geometry":{"type":"Polygon","coordinates":[[\#(ring.joined(separator: ","))]]}}"#
    }
    return Array(
      #"{"type":"FeatureCollection","features":[\#(features.joined(separator: ",\n"))]}"#.utf8)
  }
}

/// A sequence of numbers that look random and are the same each time.
struct Noise {
  private var state: UInt64

  init(seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 | 1 }

  mutating func next(in range: ClosedRange<Double>) -> Double {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    let part = Double(state >> 33) / Double(1 << 31)
    return range.lowerBound + part * (range.upperBound - range.lowerBound)
  }

  /// Returns a number around zero that is seldom near the ends.
  mutating func spread(_ reach: Double) -> Double {
    (next(in: -1...1) + next(in: -1...1) + next(in: -1...1)) / 2.2 * reach
  }
}
