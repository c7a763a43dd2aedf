import FieldCore
import Foundation
import MetroKit
import TestSupport
import Testing

/// The real files of several years, against Python's reader of the same bytes.
@Suite(
  "The metro's real captures", .heavy,
  .enabled(if: SharedData.isThere, "the captures of ../shared are not here"))
struct FeedCaptureTests {
  static let captures = [
    "arrivals-201507201825-rita1005", "arrivals-201908292007-dannychou",
    "arrivals-202004292114-rgnuj122", "arrivals-202009261422-myong3",
    "arrivals-202105071606-yiching316", "arrivals-202107181444-chiahaowu",
    "arrivals-202305121736-as801129",
  ].map { "metro/\($0).json" }
  static let liveBoard = "metro/tdx-LiveBoard.sample.json"

  @Test("the metro's real captures have 197 rows, all of whose times and names are known")
  func known() throws {
    let rows = try Self.captures.map { try Batch<Arrival>(reading: SharedData.bytes($0)) }
    #expect(rows.map(\.facts.rowCount) == [24, 39, 41, 22, 24, 15, 32])
    #expect(rows.allSatisfy { $0.failures.isEmpty })
    #expect(rows.flatMap(\.unreadTimes).isEmpty)
    #expect(rows.flatMap(\.unknownStations).isEmpty)
    #expect(rows.flatMap(\.records).count == 197)
    for rows in rows { #expect(Set(rows.records.map(\.id)).count == rows.facts.rowCount) }
  }

  @Test("the metro's real captures identify the line of nearly every row")
  func lines() throws {
    let arrivals = try Self.captures.flatMap {
      try Batch<Arrival>(reading: SharedData.bytes($0)).records
    }
    let unclear = arrivals.filter { $0.line == nil }
    // Two lines go to 南港展覽館 from 忠孝復興 and 大安.
    #expect(unclear.allSatisfy { $0.destination == "南港展覽館" }, "\(unclear.map(\.id))")
  }

  private static let python = #"""
    import json, re, sys, datetime
    rows = json.loads(sys.stdin.buffer.read().decode('utf-8-sig'))
    zone = datetime.timezone(datetime.timedelta(hours=8))
    out = []
    for r in (rows if isinstance(rows, list) else rows['data']['__sample']):
        raw = r.get('SrcUpdateTime') or r['UpdateTime']
        digits = re.match(r'(\d{4})\D?(\d\d)\D?(\d\d)\D?(\d\d)\D?(\d\d)\D?(\d\d)(?:\.(\d+))?', raw).groups()
        moment = datetime.datetime(*map(int, digits[:6]), tzinfo=zone)
        millis = int(moment.timestamp()) * 1000 + int(((digits[6] or '') + '000')[:3])
        name = lambda v: v if isinstance(v, str) else v['Zh_tw']
        out.append('|'.join([name(r.get('Station') or r['StationName']),
          name(r.get('Destination') or r['DestinationStationName']), raw, str(millis), str(r.get('_id', '')),
          r.get('StationEn') or (r['StationName'].get('En', '') if 'StationName' in r else ''),
          moment.strftime('%Y年%m月%d日%H時%M分')]))
    sys.stdout.buffer.write('\n'.join(out).encode())
    """#

  @Test(
    "the metro's real captures have the values that Python reads from the same bytes",
    .enabled(if: Tool.isThere("python3"), "python3 isn't installed"),
    arguments: captures + [liveBoard])
  func sameAsPython(path: String) throws {
    let bytes = try SharedData.bytes(path)
    try compare(bytes)
  }

  @Test(
    "the metro's real captures have the values that Python reads from today's form",
    .enabled(if: Tool.isThere("python3"), "python3 isn't installed"))
  func presentSameAsPython() throws {
    try compare(Array(FeedFixture.plain.utf8))
  }

  private func compare(_ bytes: [UInt8]) throws {
    let theirs = try Tool.run("python3", "-c", Self.python, input: Data(bytes))
    let expected = String(decoding: theirs, as: UTF8.self).split(separator: "\n").map(String.init)
    let own = try Batch<Arrival>(reading: bytes).records.map { arrival in
      [
        arrival.stationName, arrival.destinationName, arrival.updatedAt?.rawText ?? "",
        arrival.updatedAt?.instant.map {
          String(Int(($0.timeIntervalSince1970 * 1000).rounded()))
        } ?? "", arrival.sourceID ?? "", arrival.stationEnglishName ?? "",
        arrival.updatedAt?.taipeiText ?? "",
      ].joined(separator: "|")
    }
    #expect(!own.isEmpty)
    #expect(own == expected)
  }

  @Test("the real captures of TDX are read in the service's wrapping, and report normal operation")
  func tdx() throws {
    let board = try Batch<Arrival>(reading: SharedData.bytes(Self.liveBoard))
    #expect(board.unreadTimes.isEmpty && board.unknownStations.isEmpty && board.failures.isEmpty)
    #expect(board.records.allSatisfy { $0.line != nil && $0.countdown == nil })
    let file = try JSONSerialization.jsonObject(
      with: Data(SharedData.bytes("metro/tdx-Alert.sample.json")))
    let data = try #require((file as? [String: Any])?["data"])
    let bytes = [UInt8](try JSONSerialization.data(withJSONObject: data))
    #expect(try MetroAlerts(reading: bytes) == MetroAlerts(alerts: []))
  }
}
