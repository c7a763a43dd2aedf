internal import FieldCore

/// The columns of arrivals in all feeds, with the names that each feed uses.
enum ArrivalColumn {
  static let sourceID = 0
  static let station = 1
  static let destination = 2
  static let stationEnglish = 3
  static let destinationEnglish = 4
  static let time = 5
  static let sourceTime = 6
  static let countdown = 7
  static let trainNumber = 8
  static let line = 9
  static let stationCode = 10
  static let destinationCode = 11
  static let headSign = 12
  static let estimate = 13
  static let service = 14

  static let all: [RowColumn] = [
    RowColumn("_id"),
    RowColumn("Station", "StationName"),
    RowColumn("Destination", "DestinationName", "DestinationStationName"),
    RowColumn("StationEn"),
    RowColumn("DestinationEn"),
    RowColumn("UpdateTime", "NowDateTime"),
    // TDX stamps its rows half a minute after their source does.
    RowColumn("SrcUpdateTime"),
    RowColumn("CountDown"),
    RowColumn("TrainNumber"),
    RowColumn("LineID", "LineNO"),
    RowColumn("StationID"),
    // The misspelling is TDX's, used beside the correct name.
    RowColumn("DestinationStationID", "DestinationStaionID"),
    RowColumn("TripHeadSign"),
    RowColumn("EstimateTime"),
    RowColumn("ServiceStatus"),
  ]
}
