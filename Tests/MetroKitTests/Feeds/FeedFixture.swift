import FieldCore
import Foundation

/// Small bodies of every form that the feeds have had, written by hand.
enum FeedFixture {
  /// Two events in every form that can tell them: 台北車站 to 淡水, 中山國中 to 動物園.
  static let plain =
    "\u{FEFF}"
      + #"""
      [{"Station":"台北車站","StationEn":"TaipeiMainStation","Destination":"淡水站","DestinationEn":"Tamsui","UpdateTime":"20261008131602"},
       {"Station":"中山國中站","StationEn":"Zhongshan Junior High School","Destination":"動物園站","DestinationEn":"TaipeiZoo","UpdateTime":"20261008131544"}]
      """#
  static let resource = #"""
    {"resource":[{"Station":"台北車站","Destination":"淡水站","UpdateTime":"2026-10-08T13:16:02"},
    {"Station":"中山國中站","Destination":"動物園站","UpdateTime":"2026-10-08T13:15:44"}]}
    """#
  static let openData = #"""
    {"result":{"limit":1000,"offset":0,"count":2,"sort":"","results":[
    {"_id":1,"Station":"台北車站","Destination":"淡水站","UpdateTime":"2026-10-08T13:16:02.0"},
    {"_id":"2","Station":"中山國中站","Destination":"動物園站","UpdateTime":"2026-10-08T13:15:44"}]}}
    """#
  static let liveBoard = #"""
    [{"LineNO":"R","LineID":"R","LineName":{"Zh_tw":"淡水信義線","En":"Tamsui-Xinyi Line"},"StationID":"R10",
    "StationName":{"Zh_tw":"台北車站","En":"Taipei Main Station"},"TripHeadSign":"往淡水",
    "DestinationStaionID":"R28","DestinationStationID":"R28",
    "DestinationStationName":{"Zh_tw":"淡水","En":"Tamsui"},"ServiceStatus":0,"EstimateTime":0,
    "SrcUpdateTime":"2026-10-08T13:16:02+08:00","UpdateTime":"2026-10-08T13:16:31+08:00"},
    {"LineNO":"BR","LineID":"BR","StationID":"BR12","StationName":{"Zh_tw":"中山國中"},"TripHeadSign":"往動物園",
    "DestinationStaionID":"BR01","DestinationStationName":{"Zh_tw":"動物園"},"ServiceStatus":0,
    "EstimateTime":0,"SrcUpdateTime":"2026-10-08T13:15:44+08:00","UpdateTime":"2026-10-08T13:16:31+08:00"}]
    """#
  static let wrappedLiveBoard = #"""
    {"UpdateTime":"2026-10-08T13:16:31+08:00","UpdateInterval":30,"AuthorityCode":"TRTC","StationLiveBoards":
    """# + liveBoard + "}"

  static let trackInfo = #"""
    [{"TrainNumber":"104","StationName":"台北車站","DestinationName":"淡水站","CountDown":"00:41","NowDateTime":"2025-08-10 21:00:22"},
    {"TrainNumber":"","StationName":"港漧","DestinationName":"動物園站","CountDown":"列車進站","NowDateTime":""},
    {"TrainNumber":"213","StationName":"市政府站","DestinationName":"頂埔站","CountDown":"121:05","NowDateTime":"2025-08-10 21:00:21"},
    {"TrainNumber":"","StationName":"松山機楊","DestinationName":"南港展覽館站","CountDown":"營運時間已過","NowDateTime":"2025-08-10 21:00:22"}]
    """#
  static let envelope = #"""
    <?xml version="1.0" encoding="utf-8"?><soap:Envelope xmlns:soap="http://schemas.xmlsoap.org/soap/envelope/"><soap:Body><getTrackInfoResponse xmlns="http://tempuri.org/" /></soap:Body></soap:Envelope>
    """#
  static let trackInfoBeforeEnvelope = trackInfo + envelope
  static let trackInfoInEnvelope =
    #"<?xml version="1.0"?><soap:Envelope xmlns:soap="x"><soap:Body><getTrackInfoResponse><getTrackInfoResult>"#
    + escaped(trackInfo)
    + "</getTrackInfoResult></getTrackInfoResponse></soap:Body></soap:Envelope>"
  static let trackInfoInString =
    #"<?xml version="1.0"?><string xmlns="http://tempuri.org/">"# + escaped(trackInfo) + "</string>"
  static let trackInfoInCDATA = "<string><![CDATA[" + trackInfo + "]]></string>"
  static let fault = #"""
    <?xml version="1.0"?><soap:Envelope xmlns:soap="x"><soap:Body><soap:Fault><faultcode>soap:Server</faultcode><faultstring>帳號 &lt;或&gt; 密碼錯誤</faultstring></soap:Fault></soap:Body></soap:Envelope>
    """#
  static let webPage =
    "<!DOCTYPE html><html><head><title>系統維護中</title></head><body>…</body></html>"

  /// The forms of the two events.
  static let events: [(name: String, bytes: [UInt8])] = [
    ("plain", Array(plain.utf8)), ("resource", Array(resource.utf8)),
    ("resource in Big5", Big5.bytes(resource) ?? []), ("data.taipei", Array(openData.utf8)),
    ("TDX", Array(liveBoard.utf8)), ("TDX, wrapped", Array(wrappedLiveBoard.utf8)),
  ]

  /// The forms of the four countdowns.
  static let countdowns = [
    trackInfo, trackInfoBeforeEnvelope, trackInfoInEnvelope, trackInfoInString, trackInfoInCDATA,
    "<string>" + escaped(trackInfoBeforeEnvelope).replacing("<", with: "&lt;") + "</string>",
  ]

  private static func escaped(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("\"", with: "&quot;")
      .replacing("捷", with: "&#x6377;").replacing("站", with: "&#31449;")
  }
}
