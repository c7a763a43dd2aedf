internal import FieldCore
internal import FieldFoundation

extension FakeMetroFeed {
  /// Returns a resource of the timetable, or 304 if the client already has that of the day.
  func timetableResponse(
    to request: TransportRequest, _ rows: () -> [String]
  ) -> TransportResponse {
    let tag = "\"timetable-\(midnight)\""
    if request.fields["If-None-Match"] == tag {
      return TransportResponse(status: 304, fields: ["ETag": tag])
    }
    let isOperator = request.url.lastPathComponent == "TRTC"
    return .json("[\(isOperator ? rows().joined(separator: ",") : "")]", fields: ["ETag": tag])
  }

  /// The start of the day in Taipei.
  private var midnight: Int64 {
    let offset: Int64 = 8 * 3600
    let local = Int64(clock.now.timeIntervalSince1970.rounded(.down)) + offset
    return local - ((local % 86_400) + 86_400) % 86_400 - offset
  }

  /// TDX's departures of each station toward each end of its line, from 06:00 to midnight, without those of the lines whose
  /// trains have no numbers.
  var stationTimetable: [String] {
    var rows: [String] = []
    for line in lines where line.hundreds != nil && line.stations.count > 1 {
      let headway = line.headway.components.seconds
      for (direction, stations) in [line.stations, line.stations.reversed()].enumerated() {
        guard let destination = stations.last else { continue }
        for (place, station) in stations.dropLast().enumerated() {
          let first = midnight + 6 * 3600
          let start = first + ((-first % headway) + headway) % headway
          let times = stride(from: start, to: midnight + 86_400, by: Int(headway)).map {
            FakeTime.local($0 + Int64(place) * line.runTime.components.seconds)
          }
          let entries = times.enumerated().map {
            "{\"Sequence\":\($0.offset + 1),\"DepartureTime\":\"\($0.element.dropFirst(11).prefix(5))\",\"TrainType\":0}"
          }
          rows.append(
            "{\"RouteID\":\"\(line.id)-1\",\"LineID\":\"\(line.id)\",\"StationID\":\"\(station.code)\","
              + "\"StationName\":\(Self.names(station)),\"Direction\":\(direction),"
              + "\"DestinationStaionID\":\"\(destination.code)\","
              + "\"DestinationStationName\":\(Self.names(destination)),"
              + "\"Timetables\":[\(entries.joined(separator: ","))],\(Self.everyDay)}")
        }
      }
    }
    return rows
  }

  /// TDX's headways of the lines whose trains have no numbers.
  var headways: [String] {
    lines.filter { $0.hundreds == nil }.map { line in
      let minutes = (line.headway.components.seconds + 59) / 60
      return "{\"LineID\":\"\(line.id)\",\"RouteID\":\"\(line.id)-1\",\(Self.everyDay),"
        + "\"Headways\":[{\"PeakFlag\":\"0\",\"StartTime\":\"06:00\",\"EndTime\":\"24:00\","
        + "\"MinHeadwayMins\":\(minutes),\"MaxHeadwayMins\":\(minutes)}]}"
    }
  }

  private static let everyDay: String = {
    let days = [
      "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday",
      "NationalHolidays",
    ]
    return
      "\"ServiceDay\":{\"ServiceTag\":\"每日\",\(days.map { "\"\($0)\":true" }.joined(separator: ","))}"
  }()
}
