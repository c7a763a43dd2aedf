import Foundation
import MetroKit

/// From the bytes of the metro's open feed to arrivals with their stations, lines and times.
struct ArrivalBenchmarks {
  private let rows = 1_000

  func run(into table: inout ResultTable) async throws {
    // The present form, the first to begin with, and the one with fractions that came before it.
    for form in ["yyyyMMddHHmmss", "yyyy-MM-dd'T'HH:mm:ss.SSS"] {
      let json = feed(form)
      let data = Data(json)
      let formatter = DateFormatter()
      formatter.locale = Locale(identifier: "en_US_POSIX")
      formatter.calendar = Calendar(identifier: .gregorian)
      formatter.timeZone = TimeZone(secondsFromGMT: 8 * 3600)
      formatter.dateFormat = form
      let decoder = JSONDecoder()
      decoder.dateDecodingStrategy = .formatted(formatter)
      try await table.race(
        "1,000 arrivals, \(form.count == 14 ? "digits" : "ISO times")",
        against: "JSONDecoder with DateFormatter", floor: 15, rounds: 25
      ) {
        try await measured { try Batch<Arrival>(reading: json) }
      } baseline: {
        try await measured { try decoder.decode([WireArrival].self, from: data) }
      } check: { own, baseline in
        own.records.count == rows && baseline.count == rows && own.unknownStations.isEmpty
          && zip(own.records, baseline).allSatisfy { arrival, wire in
            let apart = arrival.updatedAt?.instant?.timeIntervalSince(wire.UpdateTime)
            return arrival.line != nil && abs(apart ?? 1) < 0.001
          }
      }
    }
  }

  /// Rows as the feed has them: some hundred pairs of names, times within half a minute.
  private func feed(_ form: String) -> [UInt8] {
    let network = MetroNetwork.taipei
    let pairs = network.services.flatMap { service in
      let stations = service.stops.compactMap { network.station(code: $0) }
      return stations.dropLast().compactMap { station in
        stations.last.map { (station, $0) }
      }
    }.filter { network.lines(from: $0.0.id, toward: $0.1.id).count == 1 }
    let texts = (0..<rows).map { row in
      let (station, destination) = pairs[row % pairs.count]
      let second = row * 7 % 30
      let padded = second < 10 ? "0\(second)" : "\(second)"
      let time =
        form.count == 14
        ? "202610081316\(padded)" : "2026-10-08T13:16:\(padded).\(100 + row % 900)"
      return """
        {"Station":"\(station.name)站","StationEn":"\(station.englishName)",\
        "Destination":"\(destination.name)站","DestinationEn":"\(destination.englishName)",\
        "UpdateTime":"\(time)"}
        """
    }
    return Array("\u{FEFF}[\(texts.joined(separator: ",\n"))]".utf8)
  }
}

/// The row as `JSONDecoder` reads it.
struct WireArrival: Decodable {
  let Station: String
  let StationEn: String
  let Destination: String
  let DestinationEn: String
  let UpdateTime: Date
}
