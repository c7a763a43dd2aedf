//! Compiling a city's timetable from its GTFS feed, and finding journeys and departures on the device.

// snippet.hide
import FieldTransit
import Foundation

func compiling(feed: URL, file: URL) throws {
  // snippet.show
  // snippet.compile
  let compiled = try Timetable.compile(ZipArchive(contentsOf: feed))
  try Data(compiled.timetable.bytes).write(to: file, options: .atomic)
  for failure in compiled.report.failures { print(failure) }
  // snippet.end
  // snippet.hide
}

func asking(file: URL) throws {
  // snippet.show
  // snippet.journey
  let timetable = try Timetable(contentsOf: file)
  let answer = try timetable.journeys(from: .stop("R01"), to: .stop("D43"), departing: .now)
  for journey in answer.journeys {
    print(journey.departure, journey.arrival, journey.transfers)
    for leg in journey.legs where !leg.isWalk {
      print(leg.route?.shortName ?? "", leg.headsign ?? "", leg.visits.count)
    }
  }
  // snippet.end
  // snippet.hide
}

func board(timetable: Timetable) throws {
  // snippet.show
  // snippet.departures
  for station in timetable.stops(matching: "台北車站", limit: 1) {
    for departure in try timetable.departures(at: station.id, from: .now) {
      print(departure.time, departure.route?.shortName ?? "", departure.headsign ?? "")
    }
  }
  // snippet.end
  // snippet.hide
}

func keeping(url: URL, storage: Storage, transport: any Transport) async throws {
  // snippet.show
  // snippet.catalog
  let catalog = TimetableCatalog("cairns", at: url, storage: storage, transport: transport)
  try await catalog.refresh()
  if let timetable = try await catalog.view().timetable {
    print(timetable.stopCount, timetable.serviceDays as Any)
  }
  // snippet.end
  // snippet.hide
}

func live(timetable: Timetable, url: URL, transport: any Transport) async throws {
  // snippet.show
  // snippet.realtime
  let message = try await RealtimeMessage(from: url, transport: transport)
  let live = timetable.applying([message], at: .now)
  for departure in try live.departures(at: "R01", from: .now) {
    let age = departure.predictedAt.map { "live, \(Int(Date.now.timeIntervalSince($0))) s ago" }
    print(departure.time, departure.headsign ?? "", age ?? "scheduled")
  }
  for alert in message.alerts where alert.isActive(at: .now) {
    print(alert.title(in: ["zh-Hant", "en"]) ?? "")
  }
  // snippet.end
  // snippet.hide
}
