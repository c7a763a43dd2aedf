//! The next trains, live or by the timetable, and predictions along a line.

// snippet.hide
import FieldKit
import FieldTransit
import Foundation

func refresh(transport: some Transport, folder: URL, token: TDXToken) async throws {
  // snippet.show
  // snippet.metro
  let metro = Metro(
    timetable: TDXTimetable(token: token, transport: transport),
    storage: .directory(folder), transport: transport)
  try await metro.refresh()  // the arrivals, and the timetable once a day
  // snippet.end

  // snippet.departures
  let board = try await metro.board()
  for train in board.departures(at: "台北車站") {
    let text = MetroTexts.departure(train, asOf: board.asOf)  // by the timetable in 4 minutes
    print(train.destinationName, text, train.basis, train.age as Any)
  }
  // snippet.end

  // snippet.timetable
  if let timetable = try await metro.timetable() {
    let today = timetable.timetable.day(of: .now)
    for train in try timetable.trainTimes(at: "動物園", on: today) {
      print(train.destination, train.first, train.last)  // 南港展覽館 06:00 00:00
    }
    let answer = try timetable.journeys(from: "動物園", to: "淡水", departing: .now)
    for journey in answer.journeys { print(journey.departure, journey.arrival, journey.transfers) }
  }
  // snippet.end

  // snippet.predictions
  for stop in board.predictions(on: .bannan) {
    print(stop.train.destinationName, stop.station, stop.date, "seen", stop.age, "ago")
  }
  // snippet.end
  // snippet.hide
}

func own(bytes: [UInt8]) throws {
  // snippet.show
  // snippet.files
  let timetable = try MetroTimetable(reading: [bytes])
  print(timetable.report.tripCount, timetable.failures)
  // snippet.end
  // snippet.hide
}
