internal import FieldCore

extension FakeMetroFeed {
  /// Returns the members' feed: an array followed by an envelope, or inside it.
  func trackInfoResponse(to request: TransportRequest) throws -> TransportResponse {
    guard request.method == .post, let body = request.body else {
      return TransportResponse(status: 405)
    }
    let envelope = String(decoding: try body.bytes(), as: UTF8.self)
    guard envelope.contains("<userName>\(Self.escaped(account.userName))</userName>"),
      envelope.contains("<passWord>\(Self.escaped(account.password))</passWord>")
    else {
      return Self.xml(
        Self.envelope(
          "<soap:Fault><faultcode>soap:Server</faultcode><faultstring>帳號或密碼錯誤</faultstring>"
            + "</soap:Fault>"), status: 500)
    }
    let rows = "[\(trackInfoRows.joined(separator: ","))]"
    if escapesTrackInfo {
      return Self.xml(
        Self.envelope(
          "<getTrackInfoResponse xmlns=\"http://tempuri.org/\"><getTrackInfoResult>"
            + Self.escaped(rows) + "</getTrackInfoResult></getTrackInfoResponse>"))
    }
    return Self.xml(rows + Self.envelope("<getTrackInfoResponse xmlns=\"http://tempuri.org/\" />"))
  }

  private var trackInfoRows: [String] {
    comingTrains.map { train in
      let number = train.line.hundreds.map { String($0 * 100 + train.number) } ?? ""
      let seconds = train.entry - written
      let countdown = "\((seconds / 60).digits(2)):\((seconds % 60).digits(2))"
      return FakeTime.object([
        ("TrainNumber", number), ("StationName", train.station.name),
        ("DestinationName", train.destination.name + "站"),
        ("CountDown", seconds < 10 ? "列車進站" : countdown),
        ("NowDateTime", FakeTime.spaced(written)),
      ])
    }
  }

  private static func xml(_ text: String, status: Int = 200) -> TransportResponse {
    TransportResponse(
      status: status, fields: ["Content-Type": "text/xml; charset=utf-8"], body: .text(text))
  }

  private static func envelope(_ body: String) -> String {
    "<?xml version=\"1.0\" encoding=\"utf-8\"?><soap:Envelope "
      + "xmlns:soap=\"http://schemas.xmlsoap.org/soap/envelope/\"><soap:Body>\(body)</soap:Body>"
      + "</soap:Envelope>"
  }

  private static func escaped(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
      .replacing("\"", with: "&quot;")
  }
}
