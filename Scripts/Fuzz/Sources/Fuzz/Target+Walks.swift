@testable internal import FieldCore
@testable internal import FieldFirestore
internal import Foundation
@testable internal import WalkFirestore
@testable internal import WalkKit

extension Target {
  static let walks: [Target] = [route, geoJSON, archive, oldWalks, diary]

  /// The fields of a diary's documents as values: valid in Firestore, but of any size and kind.
  private static let diary = Target(
    "diary",
    texts: [
      #"{"name":{"stringValue":"mesh"},"registered":{"timestampValue":"9999-12-31T23:59:59Z"},"exact":{"mapValue":{"fields":{"registered":{"doubleValue":1e300}}}},"weight":{"doubleValue":"NaN"}}"#,
      #"{"start":{"timestampValue":"2026-01-01T00:00:00Z"},"end":{"timestampValue":"9999-12-31T23:59:59Z"},"utcOffset":{"integerValue":"9223372036854775807"},"elapsed":{"doubleValue":1e300},"distance":{"doubleValue":-1e300},"exact":{"mapValue":{"fields":{"end":{"doubleValue":1e300},"elapsed":{"stringValue":"170141183460469231731687303715884105727"}}}},"pets":{"mapValue":{"fields":{"p":{"mapValue":{"fields":{"joined":{"timestampValue":"2026-01-01T00:00:00Z"},"order":{"doubleValue":"Infinity"}}}}}}},"notes":{"mapValue":{"fields":{"n~1":{"mapValue":{"fields":{"kind":{"stringValue":"pee"},"time":{"timestampValue":"2026-01-01T00:00:00Z"}}}}}}},"edited":{"mapValue":{"fields":{"end":{"stringValue":"ffffffffffffffff-a"}}}}}"#,
      #"{"name":{"stringValue":"river"},"place":{"geoPointValue":{"latitude":"NaN","longitude":1e300}},"created":{"stringValue":"0000000000000001-a"}}"#,
    ]
  ) { text in
    let json = try JSONDocument.value(Array(text.utf8))
    // What isn't a document is refused by the client.
    guard let fields = try? FirestoreFields(json: json) else { return }
    let state = DocumentState(fields)
    _ = state.merged(with: DocumentState()).stampsText
    var clock = StampClock(nil) { 0.5 }
    if let latest = state.latest { clock.see(latest) }
    _ = clock.next(at: .distantFuture)
    for subject in [.pet("p"), .walk("w"), .place("l")] as [WalkEdit.Subject] {
      var problems: [FieldReader.Problem] = []
      guard let document = try? DiaryDocument(subject, state, &problems) else { continue }
      let values = document.values(over: state.values)
      var rest: [FieldReader.Problem] = []
      var again = DocumentState()
      again.values = values
      // A second device, which has only what the first one writes, has the same record.
      holdEqual(try DiaryDocument(subject, again, &rest), document, "The record")
      guard case .walk(let walk) = document else { continue }
      _ = "\(walk) \(walk.start) \(walk.end) \(walk.elapsed + walk.duration + walk.movingTime)"
      _ = "\(WalkStatistics([walk])) \(PointsLedger(walks: [walk]).balance)"
    }
  }

  private static let points: [TrackPoint] = {
    let points = "121.5,25,0 121.5001,25.001,1000 121.5002,25.0015,2000 121.5002,25.0015,3500"
    return points.split(separator: " ").compactMap { text -> TrackPoint? in
      let numbers = text.split(separator: ",").compactMap { Double($0) }
      let place = Coordinate(validLatitude: numbers[1], longitude: numbers[0])
      return place.map {
        TrackPoint(
          coordinate: $0, elevation: numbers[2] == 2000 ? nil : 5.5,
          time: Date(timeIntervalSince1970: numbers[2]),
          accuracy: numbers[2] == 0 ? nil : .meters(5))
      }
    }
  }()

  private static let route = Target(
    "route",
    seeds: [
      WalkRoute().encoded(), WalkRoute(segments: [points]).encoded(),
      WalkRoute(segments: [points, [], points.map { TrackPoint(coordinate: $0.coordinate) }])
        .encoded(),
    ]
  ) { bytes in
    let route = try WalkRoute(decoding: bytes)
    let again = route.encoded()
    hold(try WalkRoute(decoding: again).encoded() == again, "The route changes")
    holdEqual(
      try WalkRoute(decoding: again).segments.map(\.count), route.segments.map(\.count),
      "The numbers of points")
    hold(route.segments.joined().count <= bytes.count * 4, "More points than bits")
    _ = try GeoJSONRoute(route.geoJSON())
    _ = route.gpx()
    _ = route.simplified(within: .meters(5))
  }

  private static let geoJSON = Target(
    "geojson",
    texts: [
      String(decoding: WalkRoute(segments: [points, points]).geoJSON(name: "x"), as: UTF8.self),
      #"{"type":"Feature","geometry":{"type":"LineString","coordinates":[[179.9,1],[-179.9,2,3.5],[1],"x"]},"properties":{"coordTimes":["2025-07-22T20:42:19Z",5,null],"name":"n"}}"#,
      #"{"type":"GeometryCollection","geometries":[{"type":"MultiLineString","coordinates":[[[180,90],[-180,-90]]]}]}"#,
    ]
  ) { text in
    let first = try GeoJSONRoute(Data(text.utf8)).route
    let second = try GeoJSONRoute(first.geoJSON()).route
    holdEqual(
      try GeoJSONRoute(second.geoJSON()).route.segments.map(\.count), second.segments.map(\.count),
      "The numbers of points")
    // A segment with a single point can't be written as a line.
    let lines = first.segments.filter { $0.count > 1 }
    hold(second.segments.joined().count >= lines.joined().count, "Lost points")
  }

  private static let archive = Target(
    "archive", texts: Self.archives
  ) { text in
    let archive = try WalkArchive(reading: Data(text.utf8))
    let json = try archive.json()
    let again = try WalkArchive(reading: json)
    holdEqual(again.problems.count, 0, "The number of problems")
    hold(try again.json() == json, "The archive changes")
    _ = WalkStatistics(archive.walks)
    _ = Badges.earned(by: archive.walks)
    _ = StreakRule().streak(of: archive.walks, on: .last)
    _ = WalkExport(pets: archive.pets, walks: archive.walks).json()
  }

  private static var archives: [String] {
    guard
      let old = try? WalkImport(reading: Data(oldDocuments[0].utf8), clock: FrozenClock()),
      let json = try? WalkArchive(
        pets: old.pets, walks: old.walks, attachments: [.init(Data([1, 2, 3]))],
        exported: .distantPast
      ).json()
    else { fail("There is no seed") }
    return [String(decoding: json, as: UTF8.self)]
  }

  private static let oldDocuments = [
    """
    {"Pets": [{"name": "mesh", "breed": "welshcorgi", "birth": "2020-01-01", "gender": "M",
    "profileURL": "https://example.org/mesh.jpg", "weight": 10,
    "walks": [{"date": "2020-02-14 19:18:00", "duration": 3209, "weather": "맑음", "dust": "안좋음",
    "images": ["https://example.org/1.jpg"]},{"date": "2020-01-29 20:04:23", "duration": "17"}]}]}
    """,
    #"{"Pets":{"k":{"name":{"stringValue":"x"},"weight":{"doubleValue":1e300},"walks":{"__collections__":{}}}}}"#,
    #"[{"fields":{"name":{"stringValue":"a"},"birth":{"timestampValue":"2020-01-01T00:00:00Z"}}}]"#,
    #"{"name":"x","walks":{"a":{"date":{"_seconds":1581675480,"_nanoseconds":5},"duration":1e10}}}"#,
  ]

  private static let oldWalks = Target("old-walks", texts: oldDocuments) { text in
    let old = try WalkImport(reading: Data(text.utf8), clock: FrozenClock())
    holdEqual(Set(old.pets.map(\.id)).count, old.pets.count, "The number of pets' IDs")
    holdEqual(Set(old.walks.map(\.id)).count, old.walks.count, "The number of walks' IDs")
    let back = try WalkImport(
      reading: WalkExport(pets: old.pets, walks: old.walks).json(), clock: FrozenClock())
    holdEqual(back.walks.count, old.walks.count, "The number of walks")
    holdEqual(back.pets.map(\.id), old.pets.map(\.id), "The pets")
    let archive = WalkArchive(pets: old.pets, walks: old.walks, exported: .distantPast)
    hold(try WalkArchive(reading: archive.json()) == archive, "The archive differs")
    hold(WalkStatistics(old.walks).duration >= .zero, "A negative duration")
  }
}

/// A clock that stands still.
struct FrozenClock: FieldClock {
  var now: Date { Date(timeIntervalSince1970: 1.75e9) }
  var uptime: Duration { .zero }
  func sleep(for duration: Duration) async throws { try Task.checkCancellation() }
}
