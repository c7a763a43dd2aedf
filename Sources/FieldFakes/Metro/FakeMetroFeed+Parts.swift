internal import FieldCore
public import FieldFoundation

extension FakeMetroFeed {
  /// A line with trains in both directions.
  public struct Line: Sendable, Hashable {
    /// The letters of the line, such as `R`.
    public var id: String
    /// The hundreds digit of its trains' numbers, such as 1; `nil` for a line whose trains have no
    /// numbers.
    public var hundreds: Int?
    /// The stations in order, by their Chinese names without 站 at the end.
    public var stations: [Station]
    /// The travel time from one station to the next.
    public var runTime: Duration
    /// The interval between trains at the first station.
    public var headway: Duration

    /// Creates a line.
    public init(
      id: String, hundreds: Int? = nil, stations: [Station], runTime: Duration = .seconds(120),
      headway: Duration = .seconds(300)
    ) {
      self.id = id
      self.hundreds = hundreds
      self.stations = stations
      self.runTime = max(runTime, .seconds(1))
      self.headway = max(headway, .seconds(1))
    }

    /// A station with its names and its code.
    public struct Station: Sendable, Hashable {
      /// The Chinese name.
      public var name: String
      /// The English name in the feed's spelling.
      public var english: String
      /// The code, such as `R10`.
      public var code: String

      /// Creates a station.
      public init(_ name: String, _ english: String, _ code: String) {
        self.name = name
        self.english = english
        self.code = code
      }
    }

    /// Parts of three of Taipei's lines, where a train enters a station in every half minute.
    public static var taipei: [Line] {
      [
        Line(
          id: "R", hundreds: 1,
          stations: [
            Station("淡水", "Tamsui", "R28"), Station("紅樹林", "Hongshulin", "R27"),
            Station("竹圍", "Zhuwei", "R26"), Station("關渡", "Guandu", "R25"),
            Station("忠義", "Zhongyi", "R24"), Station("復興崗", "Fuxinggang", "R23"),
            Station("北投", "Beitou", "R22"),
          ], runTime: .seconds(155), headway: .seconds(180)),
        Line(
          id: "BL", hundreds: 2,
          stations: [
            Station("西門", "Ximen", "BL11"), Station("台北車站", "TaipeiMainStation", "BL12"),
            Station("善導寺", "Shandao Temple", "BL13"),
            Station("忠孝新生", "Zhongxiao Xinsheng", "BL14"),
            Station("忠孝復興", "Zhongxiao Fuxing", "BL15"),
          ], runTime: .seconds(95), headway: .seconds(120)),
        Line(
          id: "BR",
          stations: [
            Station("動物園", "Taipei Zoo", "BR01"), Station("木柵", "Muzha", "BR02"),
            Station("萬芳社區", "Wanfang Community", "BR03"),
            Station("萬芳醫院", "Wanfang Hospital", "BR04"), Station("大安", "DAAN", "BR09"),
          ], runTime: .seconds(110), headway: .seconds(120)),
      ]
    }
  }

  /// A row that stays in the feed forever.
  public struct FrozenTrain: Sendable, Hashable {
    /// The station in the feed's spelling.
    public var station: String
    /// The destination in the feed's spelling.
    public var destination: String
    /// The date when the row was correct.
    public var date: Date

    /// Creates a row.
    public init(station: String, destination: String, date: Date) {
      self.station = station
      self.destination = destination
      self.date = date
    }
  }

  /// A format of the open feed.
  public enum StationForm: String, Sendable, Hashable, CaseIterable {
    /// Today's format: a byte-order mark and an array, with English names and `yyyyMMddHHmmss`.
    case plain
    /// An array under `resource`, in UTF-8.
    case resource
    /// An array under `resource`, in Big5.
    case resourceInBig5
    /// data.taipei's rows, with `_id` and times with a fraction.
    case openData
  }

  /// An account for the members' feed and TDX.
  public struct Account: Sendable, Hashable {
    /// The member's name.
    public var userName: String
    /// The member's password.
    public var password: String
    /// The app's ID at TDX.
    public var clientID: String
    /// The app's secret at TDX.
    public var secret: String

    /// Creates an account.
    public init(
      userName: String = "member", password: String = "password", clientID: String = "client",
      secret: String = "secret"
    ) {
      self.userName = userName
      self.password = password
      self.clientID = clientID
      self.secret = secret
    }
  }

  /// A failure in a response.
  public enum Failure: Sendable, Hashable {
    /// An HTML page with status 200.
    case webPage
    /// Only the first bytes of the body, without an error.
    case cut(after: Int)
    /// A list without rows.
    case noRows
    /// An empty body with status 200.
    case noBody
    /// The HTML page of a failing server, with status 500.
    case serverError

    func applied(to response: TransportResponse) throws -> TransportResponse {
      var response = response
      // The failing response isn't the one that the validators are for.
      response.head.fields["ETag"] = nil
      switch self {
      case .webPage:
        response.body = .maintenance
        response.head.fields["Content-Type"] = "text/html"
      case .cut(let count): response.body = .bytes(Array(try response.body.bytes().prefix(count)))
      case .noRows: response.body = .text("[]")
      case .noBody: response.body = .bytes([])
      case .serverError: return .serverError
      }
      return response
    }
  }
}
